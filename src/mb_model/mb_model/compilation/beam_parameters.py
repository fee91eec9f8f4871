"""Parameters of flexible bodies: mass and bending stiffness."""

from mb_model.compilation.beams import part_numbers
from mb_model.forces.kinds.characteristic import Curve
from mb_model.forces.law import SLOTS
from mb_model.kernels.parameters import Effect

_STIFFNESS = 'flexible', 'bending_stiffness'


def of_beam(mechanism, path):
    """Return the number of a flexible body at a path of the file, None if it is none of these."""
    match path:
        case ('bodies', name, 'mass') if _is_flexible(mechanism, name):
            return mechanism.bodies[name].mass
        case ('bodies', name, *keys) if _is_flexible(mechanism, name) and (*keys,) == _STIFFNESS:
            return mechanism.bodies[name].beam.bending_stiffness
    return None


def _is_flexible(mechanism, name):
    return name in mechanism.bodies and mechanism.bodies[name].beam is not None


def beam_effects(mechanism, body, keys):
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
