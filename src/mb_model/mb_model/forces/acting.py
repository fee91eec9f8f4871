"""What a force acts on: a coordinate, the line of two points, two bodies, or a point of one."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from mb_model.constraints.relation import Coordinate
from mb_model.forces.element import Element

SCHEMA = {
    'coordinate': {'$ref': '#/$defs/reference', 'description': 'The coordinate it acts on.'},
    'points': {'$ref': '#/$defs/two_names',
               'description': 'Or the points between which it acts.'},
    'bodies': {'$ref': '#/$defs/two_names',
               'description': 'Or the bodies between which it acts, in the angle from the first to '
                              'the second. A spring counts the turns of it: the angle is a '
                              'coordinate, called after the spring with .angle behind.'}}


@dataclass(frozen=True)
class Force:
    """A force on a coordinate, along the line between two points or about the joint of two bodies.

    In its x and the rate v: constant - stiffness (x - rest) - viscous v - friction; N or N m, m or
    rad; see forces.law.  Exactly one of coordinate, points and bodies is given.
    """

    name: str
    kind: str
    coordinate: str = ''
    points: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
    constant: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    viscous: float = 0.0
    coulomb: float = 0.0
    static: float = 0.0
    transition_velocity: float = 1.0


def read_where(entries: Any, name: str, value: dict[str, Any], coordinates: Collection[str],
               points: Mapping[str, Any], bodies: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a force acts on, as fields of Force."""
    path, given = f'forces.{name}', [key for key in SCHEMA if key in value]
    if len(given) != 1:
        entries.fail(path, 'must have one of coordinate, points and bodies')
    key, = given
    if key == 'coordinate':
        return {key: entries.one_of(f'{path}.{key}', value[key], coordinates, 'coordinate')}
    names = entries.names(f'{path}.{key}', value[key], points if key == 'points' else bodies,
                          key[:-1] if key == 'points' else 'body')
    if key == 'points' and all(points[name].fixed for name in names):
        entries.fail(f'{path}.points', f'{names[0]} and {names[1]} are both fixed')
    return {key: names}


def element_of(layout: Any, force: Force) -> Element:
    """Return the Element of a Force."""
    values = (force.constant, force.stiffness, force.rest, force.viscous, force.coulomb,
              force.static, force.transition_velocity)
    if force.coordinate:
        return Element('on_coordinate', (layout.index(force.coordinate),), values)
    if force.points:
        return Element('between_points', tuple(layout.points[name] for name in force.points),
                       values)
    return Element('between_bodies', tuple(index for body in force.bodies
                                           for index in layout.axis(body)), values)


# Of forces on a coordinate, or in the joint of two bodies by a coordinate that they add.
ON_TURN = {key: SCHEMA[key] for key in ('coordinate', 'bodies')}


def read_coordinate(entries: Any, name: str, value: dict[str, Any], coordinates: Collection[str],
                    bodies: Mapping[str, Any]) -> tuple[str, tuple[Coordinate, ...]]:
    """Return (the coordinate that a force acts on, Coordinates that it adds for this)."""
    path, given = f'forces.{name}', [key for key in ON_TURN if key in value]
    if len(given) != 1:
        entries.fail(path, 'must have one of coordinate and bodies')
    if 'coordinate' in value:
        return entries.one_of(f'{path}.coordinate', value['coordinate'], coordinates,
                              'coordinate'), ()
    names = entries.names(f'{path}.bodies', value['bodies'], bodies, 'body')
    added = Coordinate(f'{name}.angle', 'relative_angle', 'rad', bodies=names)
    return added.name, (added,)


@dataclass(frozen=True)
class Friction:
    """Friction on a coordinate by the numbers of its element.

    states: coordinates whose rates are states of it.
    """

    name: str
    kind: str
    coordinate: str
    values: tuple[float, ...]
    states: tuple[str, ...] = ()


def friction_element(element: str, layout: Any, friction: Friction) -> Element:
    """Return the Element, of a kind by name, of a Friction."""
    return Element(element, tuple(map(layout.index, (friction.coordinate, *friction.states))),
                   friction.values)


@dataclass(frozen=True)
class Stop:
    """What a coordinate meets at its limits; values: lower, upper, stiffness, damping."""

    name: str
    coordinate: str
    values: tuple[float, float, float, float]
    kind: str = 'stop'

    @property
    def stiffness(self) -> float:
        """Stiffness [N/m or N m/rad]."""
        return self.values[2]

    @property
    def damping(self) -> float:
        """Damping [N s/m or N m s/rad]."""
        return self.values[3]


def stop_name(coordinate: str) -> str:
    """Return the name of the force that stops a coordinate at its limits."""
    return f'coordinates.{coordinate}.limits'


def stops_of(coordinates: Mapping[str, Coordinate]) -> dict[str, Stop]:
    """Return the forces that stop coordinates at their limits, by name."""
    return {stop_name(name): Stop(stop_name(name), name, (one.lower, one.upper, *one.stop))
            for name, one in coordinates.items() if one.stop[0] > 0.0}


# Of forces at a point of a body in the plane.
AT = {'type': ['array', 'string'], 'title': 'two numbers [x, y] or a point of the body',
      'items': {'$ref': '#/$defs/number'}, 'minItems': 2, 'maxItems': 2, 'default': [0.0, 0.0]}


def read_body_and_at(entries: Any, path: str, value: dict[str, Any],
                     bodies: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the body of a force, and where on it that acts: an offset, or the name of a point."""
    body = bodies[entries.one_of(f'{path}.body', value['body'], bodies, 'body')]
    if isinstance(value['at'], str):
        entries.one_of(f'{path}.at', value['at'], body.points, f'point of {body.name}')
    return body, value['at']
