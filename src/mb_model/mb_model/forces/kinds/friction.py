"""Friction: on a coordinate, between two points or two bodies; its curve is that of forces.law."""

from mb_model.forces.acting import SCHEMA, Force, element_of, parameters, read_where
from mb_model.forces.force import ForceKind
from mb_model.forces.law import read_static


def _read(entries, name, value, coordinates, points, bodies):
    where = read_where(entries, name, value, coordinates, points, bodies)
    static = read_static(entries, name, value)
    if static > 0.0 and 'transition_velocity' not in value:
        entries.fail(f'forces.{name}.transition_velocity', 'missing: below it friction fades out')
    return Force(name, 'friction', **where, viscous=value['viscous'], coulomb=value['coulomb'],
                 static=static,
                 transition_velocity=value.get('transition_velocity', 1.0)), ()


FORCE = ForceKind('friction', {
    'description': "Friction of Brown and McPhee, Coulomb's but continuous at rest: on a "
                   'coordinate, between two points or two bodies.',
    'required': [],
    'properties': SCHEMA | {
        'viscous': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                    'description': 'Viscous friction [N s/m or N m s/rad].'},
        'coulomb': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                    'description': 'Dry friction while sliding [N or N m].'},
        'static': {'$ref': '#/$defs/not_negative',
                   'description': 'Its peak at breaking away [N or N m], at least `coulomb`, which '
                                  'is the default.'},
        'transition_velocity': {
            '$ref': '#/$defs/positive',
            'description': 'Velocity of the peak, below which friction fades out [m/s or rad/s]; '
                           'needed with dry friction.'}},
}, _read, element_of, parameters)
