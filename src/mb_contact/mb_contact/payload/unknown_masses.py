"""Unknown masses of a mechanism: the effect of one kilogram on mass matrix and forces."""

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.payload.kernels.mass_filter_record import INSTANT
from mb_model.jit import entry, sizes_of
from mb_model.kernel_api import add_gravity, mass_matrix, model_change
from mb_model.record.hydraulics import CIRCUIT

_NO_OIL = dict.fromkeys(CIRCUIT.size_names, 0)
_SAMPLES = 0.5, 3.0, 40.0, 700.0      # at which an effect has to be the same [kg]
_STILL = ('d_gravity', 'd_fixed', 'd_constraint_value', 'd_centre', 'd_length', 'd_force_value',
          'd_solid_centre', 'd_element_value')
_INERTIAS = ('body_mass', 'd_mass'), ('body_inertia', 'd_inertia')     # in the model, its changes
_IN_SPACE = ('solid_mass', 'd_solid_mass'), ('solid_inertia', 'd_solid_inertia')

_model_change, _mass_matrix, _add_gravity = model_change, mass_matrix, add_gravity


@entry
def _changes(models, works, parameters):
    _model_change(models[0], works[0], parameters[0])


@entry
def _inertia(models, matrix, force):
    _mass_matrix(models[0], matrix)
    _add_gravity(models[0], force)


def unit_inertias(mechanism, names):
    """Return the changes per kilogram of M (k, n, n) and of the forces of gravity (k, n).

    names: of entries of the file's `parameters`, or paths such as bodies.load.mass.  A mass must
    enter masses and inertias of bodies only, in proportion: then the equations of motion are
    linear in it.  Raises ContactError, MechanismError.
    """
    if not names:
        known = ', '.join(mechanism.parameters) or 'none'
        raise ContactError(f'masses: missing, expected names of parameters of {mechanism.file} '
                           f'({known})')
    if len(names) > mechanism.g:
        raise ContactError(
            f'masses: {", ".join(names)}: {len(names)} masses, but {mechanism.name} has '
            f'{mechanism.g} degrees of freedom; expected no more masses than these')
    if len(set(names)) < len(names):
        raise ContactError(f'masses: {", ".join(names)}: every mass may be named once')
    n, work = mechanism.n, mechanism.workspace()
    matrices, forces = np.zeros((len(names), n, n)), np.zeros((len(names), n))
    for name, matrix, force in zip(names, matrices, forces, strict=True):
        unit = _unit_model(mechanism, name, work)
        all_matrix, all_force = np.zeros_like(work['M'][0]), np.zeros_like(work['Q'][0])
        _inertia(unit, all_matrix, all_force)
        matrix[:], force[:] = all_matrix[:n, :n], all_force[:n]
    return matrices, forces


def new_instants(mechanism, masses):
    """Return (INSTANT records of a Mechanism at its start, sizes of all records) for masses (k).

    masses: as in unit_inertias.  Raises ContactError, MechanismError.
    """
    if mechanism.is_sparse:
        raise ContactError(f'{mechanism.file}: has too many coordinates for the estimation of '
                           'masses')
    mechanism.require_holonomic('estimation of masses')
    matrices, forces = unit_inertias(mechanism, masses)
    sizes = sizes_of(mechanism.model) | sizes_of(circuit_of(mechanism)) | {'masses': len(masses)}
    instants, n, circuit = INSTANT.of(sizes), mechanism.n, mechanism.circuit
    instant, count = instants[0], len(masses)
    instant['masses'] = count
    instant['factors'] = 1 + (len(circuit.cylinders) if circuit else 0)
    instant['unit_M'][:count, :n, :n], instant['unit_Q'][:count, :n] = matrices, forces
    instant['value'][:count] = mechanism.parameter_records(masses)['value']
    instant['start'][:n] = mechanism.q0
    return instants, sizes


def circuit_of(mechanism):
    """Return the record of the oil of a mechanism, an empty one where it has none."""
    return mechanism.circuit.record if mechanism.circuit else CIRCUIT.of(_NO_OIL)


def _unit_model(mechanism, name, work):
    """Return the model with only the effect of one more kilogram of a mass on its bodies."""
    record = mechanism.parameter_records([name])
    found = []
    for value in _SAMPLES:
        record['value'] = value
        _changes(mechanism.model, work, record)
        if any(np.any(work[field]) for field in _STILL):
            raise ContactError(f'{mechanism.file}: {name}: changes more than masses and inertias '
                               'of bodies, and is no mass that can be estimated')
        found.append([work[change][0].copy() for _, change in (*_INERTIAS, *_IN_SPACE)])
    if not all(np.allclose(one, first, rtol=1e-9, atol=0.0)
               for changes in found for one, first in zip(changes, found[0], strict=True)):
        raise ContactError(f'{mechanism.file}: {name}: masses and inertias of bodies are not in '
                           'proportion to it, expected a mass')
    unit = mechanism.model.copy()
    unit['own_inertia'] = 0.0
    for (name, _), change in zip((*_INERTIAS, *_IN_SPACE), found[0], strict=True):
        unit[name][0] = change
    return unit
