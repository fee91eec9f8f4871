"""Elastoplastic friction: bristles that only bend up to a share of the force of sliding.

A force below that share moves a body elastically and does not let it creep, as LuGre's does.  The
law is in forces.bristles.
"""

from mb_model.forces.bristles import SLOTS
from mb_model.forces.force import ForceKind
from mb_model.forces.presliding import (
    KEYS,
    REQUIRED,
    bristle_element,
    bristle_parameters,
    read_bristles,
)


def _read(entries, name, value, coordinates, points, bodies):
    if not value['breakaway'] < 1.0:
        entries.fail(f'forces.{name}.breakaway', f'{value["breakaway"]:g} must be < 1')
    return read_bristles(entries, name, value, coordinates, bodies, 'elastoplastic',
                         value['breakaway'])


def _parameters(key, value):
    return (SLOTS[key],) if key == 'breakaway' else bristle_parameters(key, value)


FORCE = ForceKind('elastoplastic', {
    'description': 'Elastoplastic friction on a coordinate or about the joint of two bodies: as '
                   '`lugre`, but bristles only bend up to a share of the force of sliding.',
    'required': REQUIRED,
    'properties': KEYS | {
        'breakaway': {'$ref': '#/$defs/not_negative', 'default': 0.7,
                      'description': 'The share of the steady deflection up to which bristles only '
                                     'bend [0 to 1].'}},
}, _read, bristle_element, _parameters)
