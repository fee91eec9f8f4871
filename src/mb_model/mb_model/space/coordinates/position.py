"""Where a place of a body is: three coordinates, called after the entry with .x, .y, .z behind."""

import numpy as np

from mb_model.space.body import GROUND
from mb_model.space.coordinate import SpatialCoordinate, SpatialCoordinateKind
from mb_model.space.equations.products import product_equation
from mb_model.space.parts.joining import global_axes


def _read(entries, path, name, value, joints, bodies):
    body = entries.one_of(f'{path}.body', value['body'],
                          [one for one in bodies if one != GROUND], 'moving body')
    if isinstance(value['at'], str):
        entries.one_of(f'{path}.at', value['at'], bodies[body].points, f'point of {body}')
    place = bodies[body].place(value['at'])
    return tuple(SpatialCoordinate(f'{name}.{axis}', 'position', 'm', bodies=(body,),
                                   places=(place,), part=part)
                 for part, axis in enumerate('xyz'))


def _equation(layout, coordinate):
    place = layout.point(coordinate.bodies[0], coordinate.places[0])
    axis = global_axes(layout)[coordinate.part]
    return product_equation(layout.vector(place), layout.vector(axis), 0.0, 1.0,
                            f'coordinates.{coordinate.name}', layout.place(coordinate.name), -1.0)


def _pushes(coordinate, joint, motions):
    body = coordinate.bodies[0]
    return [(body, motions[body].place(coordinate.places[0]), np.eye(3)[coordinate.part],
             np.zeros(3))]


COORDINATE = SpatialCoordinateKind('position', {
    'description': 'Where a place of a body is, three coordinates in global axes, called after '
                   'this one with .x, .y, .z behind [m].',
    'required': ['body'],
    'properties': {
        'body': {'$ref': '#/$defs/reference', 'description': 'The body.'},
        'at': {'$ref': '#/$defs/place', 'default': [0.0, 0.0, 0.0],
               'description': "The place, in the body's frame [m] or a point of it by name."}},
}, _read, _equation, _pushes)
