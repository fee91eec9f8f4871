"""The way of a joint along the first body's axis, from its place to that of the second body."""

import numpy as np

from mb_model.space.coordinate import JOINT, SpatialCoordinate, SpatialCoordinateKind
from mb_model.space.equations.products import product_equation
from mb_model.space.parts.joining import direction, way


def _read(entries, path, name, value, joints, bodies):
    joint = joints[entries.one_of(f'{path}.joint', value['joint'], joints, 'joint')]
    return (SpatialCoordinate(name, 'slider', 'm', joint.name),)


def _equation(layout, coordinate):
    joint = layout.joints[coordinate.joint]
    return product_equation(layout.vector(way(layout, joint)),
                            layout.vector(direction(layout, joint, 0, 'z')), 0.0, 1.0,
                            f'coordinates.{coordinate.name}', layout.place(coordinate.name), -1.0)


def _pushes(coordinate, joint, motions):
    first, second = joint.bodies
    axis = motions[first].rotation @ joint.frames[0][:, 2]
    place = motions[second].place(joint.places[1])
    return [(second, place, axis, np.zeros(3)), (first, place, -axis, np.zeros(3))]


COORDINATE = SpatialCoordinateKind('slider', {
    'description': "The way of a joint along the first body's axis, from its place to that of the "
                   'second body [m].',
    'required': ['joint'],
    'properties': {'joint': JOINT},
}, _read, _equation, _pushes)
