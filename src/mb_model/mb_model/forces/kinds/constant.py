"""A constant force or torque: on a coordinate, between two points or two bodies."""

from mb_model.forces.acting import SCHEMA, Force, element_of, parameters, read_where
from mb_model.forces.force import ForceKind


def _read(entries, name, value, coordinates, points, bodies):
    where = read_where(entries, name, value, coordinates, points, bodies)
    return Force(name, 'constant', **where, constant=value['force']), ()


FORCE = ForceKind('constant', {
    'description': 'A constant force or torque: on a coordinate, between two points or two bodies.',
    'required': ['force'],
    'properties': SCHEMA | {
        'force': {'$ref': '#/$defs/number',
                  'description': 'The force [N or N m], positive where it drives the coordinate '
                                 'up, the points apart, the second body forward.'}},
}, _read, element_of, parameters)
