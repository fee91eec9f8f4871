"""Friction of LuGre: bristles that bend and slide, see forces.bristles."""

from mb_model.forces import bristles
from mb_model.forces.bristles import LUGRE
from mb_model.forces.force import ForceKind
from mb_model.forces.presliding import (
    KEYS,
    REQUIRED,
    bristle_element,
    bristle_parameters,
    read_bristles,
)

ELEMENT = bristles.ELEMENT


def _read(entries, name, value, coordinates, points, bodies):
    return read_bristles(entries, name, value, coordinates, bodies, 'lugre', LUGRE)


FORCE = ForceKind('lugre', {
    'description': 'Friction of the LuGre model on a coordinate or about the joint of two bodies: '
                   'bristles bend before the surfaces slide.  Their deflection is the rate of a '
                   'coordinate that it adds, called after it with .bristles behind.',
    'required': REQUIRED, 'properties': KEYS,
}, _read, bristle_element, bristle_parameters)
