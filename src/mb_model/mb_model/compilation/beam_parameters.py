"""Parameters of flexible bodies: mass and stiffness, in space the inertia about the axis, too."""

from collections.abc import Sequence
from typing import Any

from mb_model.beams.spatial_beam import SpatialBeam
from mb_model.compilation.beams import part_numbers
from mb_model.compilation.spatial.beams import bending_solids, solid_numbers
from mb_model.forces.kinds.characteristic import Curve
from mb_model.forces.law import SLOTS
from mb_model.kernels.parameters import Effect
from mb_model.mechanism_file.description import Body
from mb_model.space.body import SpatialBody

_STIFFNESS = 'flexible', 'bending_stiffness'
# In space: what bends along which axis, '': twists.
_STIFFNESSES = {(*_STIFFNESS, 'about_z'): 'y', (*_STIFFNESS, 'about_y'): 'z',
                ('flexible', 'torsion', 'stiffness'): ''}
_AXIAL = 'flexible', 'axial_inertia'


def of_beam(mechanism: Any, path: tuple[str, ...]) -> float | None:
    """Return the number of a flexible body at a path of the file, None if it is none of these."""
    match path:
        case ('bodies', name, 'mass') if _is_flexible(mechanism, name):
            return mechanism.bodies[name].mass
        case ('bodies', name, *keys) if _is_flexible(mechanism, name) and mechanism.dimension == 3:
            return _in_space(mechanism.bodies[name].beam, (*keys,))
        case ('bodies', name, *keys) if _is_flexible(mechanism, name) and (*keys,) == _STIFFNESS:
            return mechanism.bodies[name].beam.bending_stiffness
    return None


def _in_space(beam: SpatialBeam, keys: tuple[str, ...]) -> float | None:
    """Return the same of a SpatialBeam: stiffnesses and inertia."""
    if keys == _AXIAL:
        return beam.axial_inertia
    axis = _STIFFNESSES.get(keys)
    if axis == '':
        return beam.torsion.whole_stiffness if beam.torsion else None
    return beam.bending[axis].bending_stiffness if axis in beam.bending else None


def _is_flexible(mechanism: Any, name: str) -> bool:
    return name in mechanism.bodies and mechanism.bodies[name].beam is not None


def beam_effects(mechanism: Any, body: Body, keys: tuple[str, ...]) -> list[tuple[Any, ...]]:
    """Return [(kind, first, second index, share of the number)] of a number of a flexible body.

    Dampers stay as they are when mass or stiffness change, so that damping ratios change.
    """
    model, beam = mechanism.model[0], body.beam
    if keys == ('mass',):
        return [(effect, part, 0, float(model[field][part]) / body.mass)
                for part in part_numbers(mechanism.bodies, body.name)
                for effect, field in ((Effect.BODY_MASS, 'body_mass'),
                                      (Effect.BODY_INERTIA, 'body_inertia'))]
    if keys == _STIFFNESS:
        elements = [name for name, force in mechanism.described.forces.items()
                    if not isinstance(force, Curve)]
        return [(Effect.FORCE, elements.index(mode), SLOTS['stiffness'],
                 float(stiffness) / beam.bending_stiffness)
                for mode, stiffness in zip(body.modes, beam.stiffness, strict=True)]
    return []


def beam_effects_in_space(mechanism: Any, body: SpatialBody, keys: tuple[str, ...],
                          laws: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return the same in space; laws: names of the forces on coordinates, in their order."""
    model, beam = mechanism.model[0], body.beam
    frame, *others = solid_numbers(mechanism.bodies, body.name)
    bending, twisting = others[:bending_solids(beam)], others[bending_solids(beam):]
    if keys == ('mass',):
        return [(Effect.SOLID_MASS, bending[0], 0, 1.0), *_inertias(model, bending, body.mass)]
    if keys == _AXIAL:
        return _inertias(model, [frame, *twisting], beam.axial_inertia)
    whole = _in_space(beam, keys)
    if whole is None:
        return []
    return [(Effect.FORCE, laws.index(mode), SLOTS['stiffness'], spring.stiffness / whole)
            for mode, spring in zip(body.modes, beam.springs, strict=True)
            if spring.axis == _STIFFNESSES[keys]]


def _inertias(model: Any, solids: Sequence[int], whole: float) -> list[tuple[Any, ...]]:
    """Return the effects on inertias of solids that are shares of a number."""
    return [(Effect.SOLID_INERTIA, k, slot, float(model['solid_inertia'][k, slot]) / whole)
            for k in solids for slot in range(3)]
