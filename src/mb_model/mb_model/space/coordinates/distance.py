"""The distance of two places of bodies."""

import numpy as np

from mb_model.space.coordinate import SpatialCoordinate, SpatialCoordinateKind
from mb_model.space.equations.products import product_equation
from mb_model.space.parts.places import TWO_PLACES, read_places
from mb_model.space.rotation import unit


def _read(entries, path, name, value, joints, bodies):
    names, places = read_places(entries, path, value, bodies)
    return (SpatialCoordinate(name, 'distance', 'm', bodies=names, places=places),)


def _equation(layout, coordinate):
    first, second = (layout.point(body, place) for body, place in zip(
        coordinate.bodies, coordinate.places, strict=True))
    between = layout.vector(layout.difference(second, first))
    return product_equation(between, between, 0.0, 2.0 * layout.size,
                            f'coordinates.{coordinate.name}', layout.place(coordinate.name),
                            square=-1.0)


def _pushes(coordinate, joint, motions):
    first, second = (motions[body].place(place) for body, place in zip(
        coordinate.bodies, coordinate.places, strict=True))
    along = unit(second - first)
    return [(coordinate.bodies[1], second, along, np.zeros(3)),
            (coordinate.bodies[0], first, -along, np.zeros(3))]


COORDINATE = SpatialCoordinateKind('distance', {
    'description': 'The distance of two places of bodies [m]; they must not meet.',
    'required': ['bodies', 'at'],
    'properties': {
        'bodies': {'$ref': '#/$defs/two_names', 'description': 'The bodies; ground is one.'},
        'at': TWO_PLACES},
}, _read, _equation, _pushes)
