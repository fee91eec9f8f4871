"""The angle of a joint: by how much the second body is turned about the first one's axis.

Of a universal joint it is the angle of the cross: `of: first` about the axis of the first body, or
`of: second` about that of the second one.  Angles count turns.
"""

import numpy as np

from mb_model.space.coordinate import JOINT, SpatialCoordinate, SpatialCoordinateKind
from mb_model.space.equations.turned_angle import angle_equation
from mb_model.space.parts.joining import direction


def _read(entries, path, name, value, joints, bodies):
    joint = joints[entries.one_of(f'{path}.joint', value['joint'], joints, 'joint')]
    if joint.kind != 'universal' and 'of' in value:
        entries.fail(f'{path}.of', 'is for universal joints')
    return (SpatialCoordinate(name, 'angle', 'rad', joint.name,
                              part=int(value.get('of') == 'second')),)


def _equation(layout, coordinate):
    joint, meaning = layout.joints[coordinate.joint], f'coordinates.{coordinate.name}'
    side = coordinate.part
    x, y = (layout.vector(direction(layout, joint, side, axis)) for axis in 'xy')
    turned = 'z' if joint.kind == 'universal' else 'x'
    return angle_equation(x, y, layout.vector(direction(layout, joint, 1 - side, turned)),
                          layout.place(coordinate.name), meaning)


def _pushes(coordinate, joint, motions):
    side = coordinate.part
    axis = motions[joint.bodies[side]].rotation @ joint.frames[side][:, 2]
    still = np.zeros(3)
    return [(joint.bodies[1 - side], still, still, axis), (joint.bodies[side], still, still, -axis)]


COORDINATE = SpatialCoordinateKind('angle', {
    'description': "The angle of a joint, by which the second body is turned about the first one's "
                   'axis [rad]; it counts turns.',
    'required': ['joint'],
    'properties': {
        'joint': JOINT,
        'of': {'type': 'string', 'title': 'first or second', 'enum': ['first', 'second'],
               'description': 'Of a universal joint: the axis that the cross is turned about, that '
                              'of the first (default) or of the second body.'}},
}, _read, _equation, _pushes)
