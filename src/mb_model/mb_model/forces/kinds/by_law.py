"""Forces whose law is forces.law: constant ones, friction, springs with dampers.

Each acts on a coordinate, between two points, or two bodies.  A spring in the joint of two bodies
must know how far it is wound, which positions of points do not say: it adds the relative angle of
its bodies to the coordinates, which counts turns, and acts on that.
"""

from collections.abc import Collection, Mapping
from typing import Any

from mb_model.constraints.relation import Coordinate
from mb_model.forces.acting import SCHEMA, Force, element_of, read_where
from mb_model.forces.element import ForceKind
from mb_model.forces.law import SLOTS, read_static


def _read_constant(entries: Any, name: str, value: dict[str, Any], coordinates: Collection[str],
                   points: Mapping[str, Any],
                   bodies: Mapping[str, Any]) -> tuple[Force, tuple[Coordinate, ...]]:
    where = read_where(entries, name, value, coordinates, points, bodies)
    return Force(name, 'constant', **where, constant=value['force']), ()


CONSTANT = ForceKind('constant', {
    'description': 'A constant force or torque: on a coordinate, between two points or two bodies.',
    'required': ['force'],
    'properties': SCHEMA | {
        'force': {'$ref': '#/$defs/number',
                  'description': 'The force [N or N m], positive where it drives the coordinate '
                                 'up, the points apart, the second body forward.'}},
}, _read_constant, element_of, SLOTS)


def _read_friction(entries: Any, name: str, value: dict[str, Any], coordinates: Collection[str],
                   points: Mapping[str, Any],
                   bodies: Mapping[str, Any]) -> tuple[Force, tuple[Coordinate, ...]]:
    where = read_where(entries, name, value, coordinates, points, bodies)
    static = read_static(entries, name, value)
    if static > 0.0 and 'transition_velocity' not in value:
        entries.fail(f'forces.{name}.transition_velocity', 'missing: below it friction fades out')
    return Force(name, 'friction', **where, viscous=value['viscous'], coulomb=value['coulomb'],
                 static=static,
                 transition_velocity=value.get('transition_velocity', 1.0)), ()


FRICTION = ForceKind('friction', {
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
}, _read_friction, element_of, SLOTS, {'static': 'coulomb'})


def _read_spring_damper(entries: Any, name: str, value: dict[str, Any],
                        coordinates: Collection[str], points: Mapping[str, Any],
                        bodies: Mapping[str, Any]) -> tuple[Force, tuple[Coordinate, ...]]:
    where = read_where(entries, name, value, coordinates, points, bodies)
    added = ()
    if 'bodies' in where:
        added = (Coordinate(f'{name}.angle', 'relative_angle', 'rad', bodies=where['bodies'],
                            rest=value['rest']),)
        where = {'coordinate': added[0].name}
    return Force(name, 'spring_damper', **where, stiffness=value['stiffness'], rest=value['rest'],
                 viscous=value['damping']), added


SPRING_DAMPER = ForceKind('spring_damper', {
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
}, _read_spring_damper, element_of, SLOTS)

FORCES = CONSTANT, FRICTION, SPRING_DAMPER
