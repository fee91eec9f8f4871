"""How a body is turned against a reference orientation: three coordinates without a singularity.

With the body's unit vectors x, y, z and those of the reference x0, y0, z0

    s_x = (z0 . y - y0 . z) / 2,  and s_y, s_z with x, y, z in turn:

the axis of the turn times the sine of its angle.  At the reference its rate is the body's angular
velocity in its own frame, and a small s is a rotation vector.  The reference follows the body
between steps, so that the angle stays small, see kernels.charts.
"""

import numpy as np

from mb_model.space.body import GROUND
from mb_model.space.coordinate import SpatialCoordinate, SpatialCoordinateKind
from mb_model.space.equations.products import difference_equation


def _read(entries, path, name, value, joints, bodies):
    body = entries.one_of(f'{path}.body', value['body'],
                          [one for one in bodies if one != GROUND], 'moving body')
    if bodies[body].slender:
        entries.fail(f'{path}.body', f'{body} is slender: how it is turned about its line is left '
                                     'out')
    return tuple(SpatialCoordinate(f'{name}.{axis}', 'orientation', 'rad', bodies=(body,),
                                   part=part) for part, axis in enumerate('xyz'))


def _equation(layout, coordinate):
    body = coordinate.bodies[0]
    frame, reference = layout.frame(body)[1:], layout.reference(body)
    j, k = (coordinate.part + 1) % 3, (coordinate.part + 2) % 3
    return difference_equation((reference[k], frame[j]), (reference[j], frame[k]), 0.5,
                               layout.place(coordinate.name), f'coordinates.{coordinate.name}')


def _pushes(coordinate, joint, motions):
    body = coordinate.bodies[0]      # exact where the body is at its reference
    return [(body, np.zeros(3), np.zeros(3), motions[body].rotation[:, coordinate.part])]


COORDINATE = SpatialCoordinateKind('orientation', {
    'description': 'How a body is turned: three coordinates, called after this one with .x, .y, .z '
                   'behind. Their rates are its angular velocity in its own frame [rad/s], their '
                   'changes rotation vectors [rad]: no orientation is singular.',
    'required': ['body'],
    'properties': {'body': {'$ref': '#/$defs/reference', 'description': 'The body.'}},
}, _read, _equation, _pushes)
