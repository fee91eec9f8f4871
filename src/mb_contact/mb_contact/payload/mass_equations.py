"""The equations of motion as they depend on unknown masses, friction, motion and pressures."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.payload.kernels.mass_filter_record import INSTANT
from mb_contact.payload.kernels.residual import equations
from mb_model import Mechanism
from mb_model.arrays import BoolArray, FloatArray, RecordArray
from mb_model.jit import entry, sizes_of
from mb_model.kernel_api import add_gravity, mass_matrix, model_change
from mb_model.record.hydraulics import CIRCUIT

_NO_OIL = dict.fromkeys(CIRCUIT.size_names, 0)
_SAMPLES = 0.5, 3.0, 40.0, 700.0      # at which an effect has to be the same [kg]
_STILL = ('d_gravity', 'd_fixed', 'd_constraint_value', 'd_centre', 'd_length', 'd_force_value',
          'd_solid_centre', 'd_element_value', 'd_own_inertia')
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


def unit_inertias(mechanism: Mechanism, names: Sequence[str]) -> tuple[FloatArray, FloatArray]:
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


def new_instants(mechanism: Mechanism, masses: Sequence[str]) -> tuple[RecordArray, dict[str, int]]:
    """Return (INSTANT records of a Mechanism at its start, sizes of all records) for masses (k).

    masses: as in unit_inertias.  Raises ContactError, MechanismError.
    """
    if mechanism.is_sparse:
        raise ContactError(f'{mechanism.file}: has too many coordinates for the estimation of '
                           'masses')
    mechanism.require_holonomic('estimation of masses')
    mechanism.require_masses('estimation of masses')
    matrices, forces = unit_inertias(mechanism, masses)
    stiffnesses = _stiffnesses(mechanism)
    sizes = sizes_of(mechanism.model) | sizes_of(circuit_of(mechanism)) | {
        'masses': len(masses), 'modes': len(stiffnesses)}
    instants, n, circuit = INSTANT.of(sizes), mechanism.n, mechanism.circuit
    instant, count = instants[0], len(masses)
    instant['masses'] = count
    instant['modes'] = len(stiffnesses)
    instant['factors'] = 1 + len(stiffnesses) + (len(circuit.cylinders) if circuit else 0)
    instant['unit_M'][:count, :n, :n], instant['unit_Q'][:count, :n] = matrices, forces
    instant['value'][:count] = mechanism.parameter_records(masses)['value']
    instant['start'][:n] = mechanism.q0
    instant['mode'] = mechanism.indices(mechanism.modes)
    instant['stiffness'] = stiffnesses
    return instants, sizes


def _stiffnesses(mechanism: Mechanism) -> list[float]:
    """Return the stiffness of each mode of flexible bodies, as in `modes` [N/m, N m/rad]."""
    beams = [mechanism.bodies[name].beam for name in mechanism.flexible_bodies]
    if mechanism.dimension == 3:
        return [spring.stiffness for beam in beams for spring in beam.springs]
    return [float(stiffness) for beam in beams for stiffness in beam.stiffness]


def circuit_of(mechanism: Mechanism) -> RecordArray:
    """Return the record of the oil of a mechanism, an empty one where it has none."""
    return mechanism.circuit.record if mechanism.circuit else CIRCUIT.of(_NO_OIL)


def _unit_model(mechanism: Mechanism, name: str, work: RecordArray) -> RecordArray:
    """Return the model with only the effect of one more kilogram of a mass on its bodies."""
    record = mechanism.parameter_records([name])
    effects = []
    for value in _SAMPLES:
        record['value'] = value
        _changes(mechanism.model, work, record)
        if any(np.any(work[field]) for field in _STILL):
            raise ContactError(f'{mechanism.file}: {name}: changes more than masses and inertias '
                               'of bodies, and is no mass that can be estimated')
        effects.append([work[change][0].copy() for _, change in (*_INERTIAS, *_IN_SPACE)])
    if not all(np.allclose(one, first, rtol=1e-9, atol=0.0)
               for changes in effects for one, first in zip(changes, effects[0], strict=True)):
        raise ContactError(f'{mechanism.file}: {name}: masses and inertias of bodies are not in '
                           'proportion to it, expected a mass')
    unit = mechanism.model.copy()
    unit['own_inertia'] = 0.0
    for (name, _), change in zip((*_INERTIAS, *_IN_SPACE), effects[0], strict=True):
        unit[name][0] = change
    return unit


class Equations(NamedTuple):
    """Forces on the degrees of freedom that are missing (g), and their derivatives.

    residual: at the masses of the file; by_mass (g, k), by_friction (g, c): by the share by which
    friction of a cylinder differs from the file's; by_state (g, 3g + v): by z, zd, zdd, p;
    moving (c): cylinders whose friction is known, others are left out.
    """

    residual: FloatArray
    by_mass: FloatArray
    by_friction: FloatArray
    by_state: FloatArray
    moving: BoolArray


class MassEquations:
    """Equations of a mechanism with hydraulics, linear in masses (k) named as in PayloadEstimator.

    Source: Pyrhonen et al. 2023b, Eq. (55).  Raises ContactError, MechanismError.
    """

    def __init__(self, mechanism: Mechanism, masses: Sequence[str]) -> None:
        """Set up."""
        circuit = mechanism.circuit
        if circuit is None:
            raise ContactError(f'{mechanism.file}: has no section hydraulics, expected one whose '
                               'cylinders carry the masses')
        self._instants, _ = new_instants(mechanism, masses)
        self.values = self._instants['value'][0].copy()
        self._cylinders, self._volumes = len(circuit.cylinders), len(circuit.volumes)
        self._works, self._fluids = mechanism.workspace(), circuit.new_fluid()
        self._g, self._records = mechanism.g, (mechanism.model.copy(), self._works, circuit.record,
                                               self._fluids, self._instants)

    def at(self, z: FloatArray, zd: FloatArray, zdd: FloatArray, q: FloatArray, p: FloatArray,
           covariance: FloatArray) -> Equations | None:
        """Return the Equations of an instant, None where there is no position.

        z, zd, zdd (g), q (n); p (v) [Pa]; covariance of z, zd, zdd or the first of them: whether
        a cylinder moves.
        """
        g, work = self._g, self._works[0]
        work['z'][:g], work['zd'][:g], work['zdd'][:g] = z, zd, zdd
        self._fluids['p'][0, :self._volumes] = p
        if not equations(*self._records, np.zeros(0), q, covariance):
            return None
        instant = self._instants[0]
        return Equations(*(part.copy() for part in (
            instant['residual'][:g], instant['by_mass'][:g],
            instant['by_factor'][:g, :self._cylinders],
            instant['by_state'][:g, :3 * g + self._volumes],
            instant['moving'][:self._cylinders] > 0)))
