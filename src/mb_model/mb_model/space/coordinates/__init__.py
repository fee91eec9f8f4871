"""The kinds of coordinates of mechanisms in space beside those of nodes.

angle: by how much the second body of a joint is turned about the first one's axis; it counts turns.
Of a universal joint it is the angle of the cross: `of: first` about the axis of the first body, or
`of: second` about that of the second one.

orientation: how a body is turned against a reference, three coordinates without a singularity.
With the body's unit vectors x, y, z and those of the reference x0, y0, z0

    s_x = (z0 . y - y0 . z) / 2,  and s_y, s_z with x, y, z in turn:

the axis of the turn times the sine of its angle.  At the reference its rate is the body's angular
velocity in its own frame, and a small s is a rotation vector.  The reference follows the body
between steps, so that the angle stays small, see kernels.charts.

distance: of two places of bodies; position: where a place of a body is; slider: the way of a joint
along the first body's axis.
"""

import numpy as np

from mb_model.space.body import GROUND, TWO_PLACES, read_places
from mb_model.space.coordinate import JOINT, SpatialCoordinate, SpatialCoordinateKind
from mb_model.space.equations.products import difference_equation, product_equation
from mb_model.space.equations.turned_angle import angle_equation
from mb_model.space.parts.joining import direction, global_axes, way
from mb_model.space.rotation import unit


def _read_angle(entries, path, name, value, joints, bodies):
    joint = joints[entries.one_of(f'{path}.joint', value['joint'], joints, 'joint')]
    if not joint.crosses and 'of' in value:
        entries.fail(f'{path}.of', 'is for universal joints')
    return (SpatialCoordinate(name, 'angle', 'rad', joint.name,
                              part=int(value.get('of') == 'second')),)


def _angle_equation(layout, coordinate):
    joint, meaning = layout.joints[coordinate.joint], f'coordinates.{coordinate.name}'
    side = coordinate.part
    x, y = (layout.vector(direction(layout, joint, side, axis)) for axis in 'xy')
    turned = 'z' if joint.crosses else 'x'
    return angle_equation(x, y, layout.vector(direction(layout, joint, 1 - side, turned)),
                          layout.place(coordinate.name), meaning)


def _pushes_angle(coordinate, joint, motions):
    side = coordinate.part
    axis = motions[joint.bodies[side]].rotation @ joint.frames[side][:, 2]
    still = np.zeros(3)
    return [(joint.bodies[1 - side], still, still, axis), (joint.bodies[side], still, still, -axis)]


_ANGLE = SpatialCoordinateKind('angle', {
    'description': "The angle of a joint, by which the second body is turned about the first one's "
                   'axis [rad]; it counts turns.',
    'required': ['joint'],
    'properties': {
        'joint': JOINT,
        'of': {'type': 'string', 'title': 'first or second', 'enum': ['first', 'second'],
               'description': 'Of a universal joint: the axis that the cross is turned about, that '
                              'of the first (default) or of the second body.'}},
}, _read_angle, _angle_equation, _pushes_angle)


def _read_distance(entries, path, name, value, joints, bodies):
    names, places = read_places(entries, path, value, bodies)
    return (SpatialCoordinate(name, 'distance', 'm', bodies=names, places=places),)


def _distance_equation(layout, coordinate):
    first, second = (layout.point(body, place) for body, place in zip(
        coordinate.bodies, coordinate.places, strict=True))
    between = layout.vector(layout.difference(second, first))
    return product_equation(between, between, 0.0, 2.0 * layout.size,
                            f'coordinates.{coordinate.name}', layout.place(coordinate.name),
                            square=-1.0)


def _pushes_distance(coordinate, joint, motions):
    first, second = (motions[body].place(place) for body, place in zip(
        coordinate.bodies, coordinate.places, strict=True))
    along = unit(second - first)
    return [(coordinate.bodies[1], second, along, np.zeros(3)),
            (coordinate.bodies[0], first, -along, np.zeros(3))]


_DISTANCE = SpatialCoordinateKind('distance', {
    'description': 'The distance of two places of bodies [m]; they must not meet.',
    'required': ['bodies', 'at'],
    'properties': {
        'bodies': {'$ref': '#/$defs/two_names', 'description': 'The bodies; ground is one.'},
        'at': TWO_PLACES},
}, _read_distance, _distance_equation, _pushes_distance)


def _read_orientation(entries, path, name, value, joints, bodies):
    body = entries.one_of(f'{path}.body', value['body'],
                          [one for one in bodies if one != GROUND], 'moving body')
    if bodies[body].slender:
        entries.fail(f'{path}.body', f'{body} is slender: how it is turned about its line is left '
                                     'out')
    return tuple(SpatialCoordinate(f'{name}.{axis}', 'orientation', 'rad', bodies=(body,),
                                   part=part) for part, axis in enumerate('xyz'))


def _orientation_equation(layout, coordinate):
    body = coordinate.bodies[0]
    frame, reference = layout.frame(body)[1:], layout.reference(body)
    j, k = (coordinate.part + 1) % 3, (coordinate.part + 2) % 3
    return difference_equation((reference[k], frame[j]), (reference[j], frame[k]), 0.5,
                               layout.place(coordinate.name), f'coordinates.{coordinate.name}')


def _pushes_orientation(coordinate, joint, motions):
    body = coordinate.bodies[0]      # exact where the body is at its reference
    return [(body, np.zeros(3), np.zeros(3), motions[body].rotation[:, coordinate.part])]


_ORIENTATION = SpatialCoordinateKind('orientation', {
    'description': 'How a body is turned: three coordinates, called after this one with .x, .y, .z '
                   'behind. Their rates are its angular velocity in its own frame [rad/s], their '
                   'changes rotation vectors [rad]: no orientation is singular.',
    'required': ['body'],
    'properties': {'body': {'$ref': '#/$defs/reference', 'description': 'The body.'}},
}, _read_orientation, _orientation_equation, _pushes_orientation)


def _read_position(entries, path, name, value, joints, bodies):
    body = entries.one_of(f'{path}.body', value['body'],
                          [one for one in bodies if one != GROUND], 'moving body')
    if isinstance(value['at'], str):
        entries.one_of(f'{path}.at', value['at'], bodies[body].points, f'point of {body}')
    place = bodies[body].place(value['at'])
    return tuple(SpatialCoordinate(f'{name}.{axis}', 'position', 'm', bodies=(body,),
                                   places=(place,), part=part)
                 for part, axis in enumerate('xyz'))


def _position_equation(layout, coordinate):
    place = layout.point(coordinate.bodies[0], coordinate.places[0])
    axis = global_axes(layout)[coordinate.part]
    return product_equation(layout.vector(place), layout.vector(axis), 0.0, 1.0,
                            f'coordinates.{coordinate.name}', layout.place(coordinate.name), -1.0)


def _pushes_position(coordinate, joint, motions):
    body = coordinate.bodies[0]
    return [(body, motions[body].place(coordinate.places[0]), np.eye(3)[coordinate.part],
             np.zeros(3))]


_POSITION = SpatialCoordinateKind('position', {
    'description': 'Where a place of a body is, three coordinates in global axes, called after '
                   'this one with .x, .y, .z behind [m].',
    'required': ['body'],
    'properties': {
        'body': {'$ref': '#/$defs/reference', 'description': 'The body.'},
        'at': {'$ref': '#/$defs/place', 'default': [0.0, 0.0, 0.0],
               'description': "The place, in the body's frame [m] or a point of it by name."}},
}, _read_position, _position_equation, _pushes_position)


def _read_slider(entries, path, name, value, joints, bodies):
    joint = joints[entries.one_of(f'{path}.joint', value['joint'], joints, 'joint')]
    return (SpatialCoordinate(name, 'slider', 'm', joint.name),)


def _slider_equation(layout, coordinate):
    joint = layout.joints[coordinate.joint]
    return product_equation(layout.vector(way(layout, joint)),
                            layout.vector(direction(layout, joint, 0, 'z')), 0.0, 1.0,
                            f'coordinates.{coordinate.name}', layout.place(coordinate.name), -1.0)


def _pushes_slider(coordinate, joint, motions):
    first, second = joint.bodies
    axis = motions[first].rotation @ joint.frames[0][:, 2]
    place = motions[second].place(joint.places[1])
    return [(second, place, axis, np.zeros(3)), (first, place, -axis, np.zeros(3))]


_SLIDER = SpatialCoordinateKind('slider', {
    'description': "The way of a joint along the first body's axis, from its place to that of the "
                   'second body [m].',
    'required': ['joint'],
    'properties': {'joint': JOINT},
}, _read_slider, _slider_equation, _pushes_slider)

COORDINATES = _ANGLE, _DISTANCE, _ORIENTATION, _POSITION, _SLIDER
