"""Springs with dampers: on a coordinate, between two points, or in the joint of two bodies.

A spring in a joint must know how far it is wound, which the places of points do not say: it adds
the relative angle of its bodies to the coordinates, which counts turns, and acts on that.
"""

from mb_model.constraints.relation import Coordinate
from mb_model.forces.acting import SCHEMA, Force, element_of, parameters, read_where
from mb_model.forces.force import ForceKind


def _read(entries, name, value, coordinates, points, bodies):
    where = read_where(entries, name, value, coordinates, points, bodies)
    added = ()
    if 'bodies' in where:
        added = (Coordinate(f'{name}.angle', 'relative_angle', bodies=where['bodies'],
                            rest=value['rest']),)
        where = {'coordinate': added[0].name}
    return Force(name, 'spring_damper', **where, stiffness=value['stiffness'], rest=value['rest'],
                 viscous=value['damping']), added


FORCE = ForceKind('spring_damper', {
    'description': 'Spring and damper: on a coordinate, along the line between two points, or '
                   'about the joint of two bodies.',
    'required': ['stiffness'],
    'properties': SCHEMA | {
        'stiffness': {'$ref': '#/$defs/not_negative',
                      'description': 'Stiffness [N/m or N m/rad].'},
        'rest': {'$ref': '#/$defs/number', 'default': 0.0,
                 'description': 'The coordinate, distance or angle where the spring is without '
                                'force [m or rad].'},
        'damping': {'$ref': '#/$defs/not_negative', 'default': 0.0,
                    'description': 'Viscous damping [N s/m or N m s/rad].'}},
}, _read, element_of, parameters)
