"""The kinds of coordinates of mechanisms in space that are not of nodes.

angle: by how much the second body of a joint is turned about the first one's axis; it counts turns.
Of a universal joint it is the angle of the cross: `of: first` about the axis of the first body, or
`of: second` about the axis of the second one.

orientation: how a body is turned against a reference, three coordinates without a singularity.
With the body's unit vectors x, y, z and the x0, y0, z0 of the reference

    s_x = (z0 . y - y0 . z) / 2,  and s_y, s_z with x, y, z in turn:

the axis of the turn times the sine of its angle.  At the reference its rate is the body's angular
velocity in its own frame, and a small s is a rotation vector.  The reference follows the body
between steps, so that the angle stays small, see kernels.charts.

distance: of two points of bodies; position: of a point of a body; slider: the travel of a joint
along the first body's axis.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import atan2
from typing import Any

import numpy as np

from mb_model.constraints.coordinate_keys import SCHEMA as SHARED
from mb_model.constraints.relation import Coordinate
from mb_model.space.body import GROUND, TWO_OFFSETS, SpatialBody, read_offsets
from mb_model.space.equation import SpatialEquation
from mb_model.space.equations.products import difference_equation, product_equation
from mb_model.space.equations.turned_angle import angle_equation
from mb_model.space.joint import Joint
from mb_model.space.joints.joining import between, direction, global_axes
from mb_model.space.rotation import unit


@dataclass(frozen=True, eq=False)
class SpatialCoordinateKind:
    """A kind of entries of the section `coordinates` of a file with `dimension: 3`.

    schema: JSON schema of an entry: description, properties beside `kind`, required ones;
    read(entries, path, name, value, joints, bodies): return the coordinates of an entry that
    conforms to it, as a tuple of Coordinates; raises MechanismError;
    equation(layout, coordinate): return its SpatialEquation, layout: a SpatialLayout;
    pushes(coordinate, joint, motions): what a force of 1 on it does to bodies, tuples of body,
    position (3), force (3) and moment (3) in global axes; motions: body -> BodyMotion;
    value(coordinate, joint, motions): return what it is there, angles within half a turn; None:
    poses of bodies do not say it.
    """

    name: str
    schema: dict[str, Any]
    read: Callable[..., tuple[Coordinate, ...]]
    equation: Callable[[Any, Coordinate], SpatialEquation]
    pushes: Callable[[Coordinate, Any, Any], list[tuple[Any, ...]]]
    value: Callable[[Coordinate, Any, Any], float] | None = None


_JOINT = {'$ref': '#/$defs/reference', 'description': 'The joint.'}


def _read_angle(entries: Any, path: str, name: str, value: dict[str, Any],
                joints: Mapping[str, Joint],
                bodies: Mapping[str, SpatialBody]) -> tuple[Coordinate, ...]:
    joint = joints[entries.one_of(f'{path}.joint', value['joint'], joints, 'joint')]
    if not joint.crosses and 'of' in value:
        entries.fail(f'{path}.of', 'is for universal joints')
    return (Coordinate(name, 'angle', 'rad', joint.name,
                              part=int(value.get('of') == 'second')),)


def _angle_equation(layout: Any, coordinate: Coordinate) -> SpatialEquation:
    joint, meaning = layout.joints[coordinate.joint], f'coordinates.{coordinate.name}'
    side = coordinate.part
    x, y = (layout.vector(direction(layout, joint, side, axis)) for axis in 'xy')
    turned = 'z' if joint.crosses else 'x'
    return angle_equation(x, y, layout.vector(direction(layout, joint, 1 - side, turned)),
                          layout.index(coordinate.name), meaning)


def _pushes_angle(coordinate: Coordinate, joint: Joint,
                  motions: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    side = coordinate.part
    axis = motions[joint.bodies[side]].rotation @ joint.frames[side][:, 2]
    still = np.zeros(3)
    return [(joint.bodies[1 - side], still, still, axis), (joint.bodies[side], still, still, -axis)]


def _value_of_angle(coordinate: Coordinate, joint: Joint, motions: Mapping[str, Any]) -> float:
    side = coordinate.part
    first, second = (motions[joint.bodies[k]].rotation @ joint.frames[k] for k in (side, 1 - side))
    turned = second[:, 2 if joint.crosses else 0]
    return atan2(first[:, 1] @ turned, first[:, 0] @ turned)


_ANGLE = SpatialCoordinateKind('angle', {
    'description': "The angle of a joint, by which the second body is turned about the first one's "
                   'axis [rad]; it counts turns.',
    'required': ['joint'],
    'properties': {
        'joint': _JOINT,
        'of': {'type': 'string', 'title': 'first or second', 'enum': ['first', 'second'],
               'description': 'Of a universal joint: the axis that the cross is turned about, on '
                              'the first (default) or the second body.'}} | SHARED,
}, _read_angle, _angle_equation, _pushes_angle, _value_of_angle)


def _read_distance(entries: Any, path: str, name: str, value: dict[str, Any],
                   joints: Mapping[str, Joint],
                   bodies: Mapping[str, SpatialBody]) -> tuple[Coordinate, ...]:
    names, offsets = read_offsets(entries, path, value, bodies)
    return (Coordinate(name, 'distance', 'm', bodies=names, offsets=offsets),)


def _distance_equation(layout: Any, coordinate: Coordinate) -> SpatialEquation:
    first, second = (layout.point(body, offset) for body, offset in zip(
        coordinate.bodies, coordinate.offsets, strict=True))
    apart = layout.vector(layout.difference(second, first))
    return product_equation(apart, apart, 0.0, 2.0 * layout.size,
                            f'coordinates.{coordinate.name}', layout.index(coordinate.name),
                            square=-1.0)


def _pushes_distance(coordinate: Coordinate, joint: Joint | None,
                     motions: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    first, second = (motions[body].position_of(offset) for body, offset in zip(
        coordinate.bodies, coordinate.offsets, strict=True))
    along = unit(second - first)
    return [(coordinate.bodies[1], second, along, np.zeros(3)),
            (coordinate.bodies[0], first, -along, np.zeros(3))]


def _value_of_distance(coordinate: Coordinate, joint: Joint | None,
                       motions: Mapping[str, Any]) -> float:
    first, second = (motions[body].position_of(offset) for body, offset in zip(
        coordinate.bodies, coordinate.offsets, strict=True))
    return float(np.linalg.norm(second - first))


_DISTANCE = SpatialCoordinateKind('distance', {
    'description': 'The distance of two points of bodies [m]; they must not meet.',
    'required': ['bodies', 'at'],
    'properties': {
        'bodies': {'$ref': '#/$defs/two_names', 'description': 'The bodies; ground is one.'},
        'at': TWO_OFFSETS} | SHARED,
}, _read_distance, _distance_equation, _pushes_distance, _value_of_distance)


def _read_orientation(entries: Any, path: str, name: str, value: dict[str, Any],
                      joints: Mapping[str, Joint],
                      bodies: Mapping[str, SpatialBody]) -> tuple[Coordinate, ...]:
    body = entries.one_of(f'{path}.body', value['body'],
                          [one for one in bodies if one != GROUND], 'moving body')
    if bodies[body].slender:
        entries.fail(f'{path}.body', f'{body} is slender: how it is turned about its line is left '
                                     'out')
    return tuple(Coordinate(f'{name}.{axis}', 'orientation', 'rad', bodies=(body,),
                                   part=part) for part, axis in enumerate('xyz'))


def _orientation_equation(layout: Any, coordinate: Coordinate) -> SpatialEquation:
    body = coordinate.bodies[0]
    frame, reference = layout.frame(body)[1:], layout.reference(body)
    j, k = (coordinate.part + 1) % 3, (coordinate.part + 2) % 3
    return difference_equation((reference[k], frame[j]), (reference[j], frame[k]), 0.5,
                               layout.index(coordinate.name), f'coordinates.{coordinate.name}')


def _pushes_orientation(coordinate: Coordinate, joint: Joint | None,
                        motions: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    body = coordinate.bodies[0]      # exact where the body is at its reference
    return [(body, np.zeros(3), np.zeros(3), motions[body].rotation[:, coordinate.part])]


_ORIENTATION = SpatialCoordinateKind('orientation', {
    'description': 'How a body is turned: three coordinates, called after this one with .x, .y, .z '
                   'behind. Their rates are its angular velocity in its own frame [rad/s], their '
                   'changes rotation vectors [rad]: no orientation is singular.',
    'required': ['body'],
    'properties': {'body': {'$ref': '#/$defs/reference', 'description': 'The body.'}},
}, _read_orientation, _orientation_equation, _pushes_orientation)


def _read_position(entries: Any, path: str, name: str, value: dict[str, Any],
                   joints: Mapping[str, Joint],
                   bodies: Mapping[str, SpatialBody]) -> tuple[Coordinate, ...]:
    body = entries.one_of(f'{path}.body', value['body'],
                          [one for one in bodies if one != GROUND], 'moving body')
    if isinstance(value['at'], str):
        entries.one_of(f'{path}.at', value['at'], bodies[body].points, f'point of {body}')
    offset = bodies[body].local(value['at'])
    return tuple(Coordinate(f'{name}.{axis}', 'position', 'm', bodies=(body,),
                                   offsets=(offset,), part=part)
                 for part, axis in enumerate('xyz'))


def _position_equation(layout: Any, coordinate: Coordinate) -> SpatialEquation:
    point = layout.point(coordinate.bodies[0], coordinate.offsets[0])
    axis = global_axes(layout)[coordinate.part]
    return product_equation(layout.vector(point), layout.vector(axis), 0.0, 1.0,
                            f'coordinates.{coordinate.name}', layout.index(coordinate.name), -1.0)


def _pushes_position(coordinate: Coordinate, joint: Joint | None,
                     motions: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    body = coordinate.bodies[0]
    return [(body, motions[body].position_of(coordinate.offsets[0]), np.eye(3)[coordinate.part],
             np.zeros(3))]


def _value_of_position(coordinate: Coordinate, joint: Joint | None,
                       motions: Mapping[str, Any]) -> float:
    position = motions[coordinate.bodies[0]].position_of(coordinate.offsets[0])
    return float(position[coordinate.part])


_POSITION = SpatialCoordinateKind('position', {
    'description': 'Where a point of a body is, three coordinates in global axes, called after '
                   'this one with .x, .y, .z behind [m].',
    'required': ['body'],
    'properties': {
        'body': {'$ref': '#/$defs/reference', 'description': 'The body.'},
        'at': {'$ref': '#/$defs/body_point', 'default': [0.0, 0.0, 0.0],
               'description': "The point, in the body's frame [m] or by its name."}},
}, _read_position, _position_equation, _pushes_position, _value_of_position)


def _read_slider(entries: Any, path: str, name: str, value: dict[str, Any],
                 joints: Mapping[str, Joint],
                 bodies: Mapping[str, SpatialBody]) -> tuple[Coordinate, ...]:
    joint = joints[entries.one_of(f'{path}.joint', value['joint'], joints, 'joint')]
    return (Coordinate(name, 'slider', 'm', joint.name),)


def _slider_equation(layout: Any, coordinate: Coordinate) -> SpatialEquation:
    joint = layout.joints[coordinate.joint]
    return product_equation(layout.vector(between(layout, joint)),
                            layout.vector(direction(layout, joint, 0, 'z')), 0.0, 1.0,
                            f'coordinates.{coordinate.name}', layout.index(coordinate.name), -1.0)


def _pushes_slider(coordinate: Coordinate, joint: Joint,
                   motions: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    first, second = joint.bodies
    axis = motions[first].rotation @ joint.frames[0][:, 2]
    position = motions[second].position_of(joint.offsets[1])
    return [(second, position, axis, np.zeros(3)), (first, position, -axis, np.zeros(3))]


def _value_of_slider(coordinate: Coordinate, joint: Joint, motions: Mapping[str, Any]) -> float:
    first, second = (motions[body] for body in joint.bodies)
    axis = first.rotation @ joint.frames[0][:, 2]
    return float(axis @ (second.position_of(joint.offsets[1])
                         - first.position_of(joint.offsets[0])))


_SLIDER = SpatialCoordinateKind('slider', {
    'description': "The travel of a joint along the first body's axis, from its point to the "
                   "second body's [m].",
    'required': ['joint'],
    'properties': {'joint': _JOINT} | SHARED,
}, _read_slider, _slider_equation, _pushes_slider, _value_of_slider)

COORDINATES = _ANGLE, _DISTANCE, _ORIENTATION, _POSITION, _SLIDER
