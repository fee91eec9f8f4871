"""Springs and dampers between bodies in pictures in space."""

import numpy as np

from mb_model.forces.acting import Force
from mb_model.pictures.space.joints import DARK, METAL
from mb_model.pictures.space.mesh import coil, cylinder
from mb_model.pictures.space.part import Part

SPRING = '#cc7a29'
_TURNS = 9


def spring_parts(places):
    """Yield the Parts of all springs and dampers that act between two places."""
    for force in places.described.forces.values():
        if not isinstance(force, Force) or not (force.stiffness > 0.0 or force.viscous > 0.0):
            continue
        coordinate = places.described.coordinates.get(force.coordinate)
        if coordinate is None or coordinate.kind != 'distance':
            continue
        first, second = np.broadcast_arrays(*(places.of(body, place) for body, place in zip(
            coordinate.bodies, coordinate.places, strict=True)))
        yield from _between(places, force, first, second)


def _between(places, force, first, second):
    lengths = np.linalg.norm(second - first, axis=1)
    usual = float(lengths.mean())
    if force.stiffness > 0.0:
        yield Part(coil(1.9 * places.unit, 0.4 * places.unit, usual, _TURNS), SPRING,
                   places.between(first, second, stretched=usual))
    if force.viscous > 0.0:
        barrel = 0.6 * float(lengths.min())
        rod = float(lengths.max()) - 0.5 * barrel
        for radius, length, colour, track in (
                (0.9, barrel, DARK, places.between(first, second)),
                (0.45, rod, METAL, places.between(second, first))):
            yield Part(cylinder(radius * places.unit, length).moved(
                np.array([0.0, 0.0, 0.5 * length]), np.eye(3)), colour, track)
