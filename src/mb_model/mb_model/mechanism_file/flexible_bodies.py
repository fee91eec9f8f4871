"""Flexible bodies of a mechanism file, and what they add to it: points, coordinates, springs.

The vector w_k, q_k across the chord in a size of its own, of mode k of a body on A and B is the
point A + w_k.  It moves like a point of q, takes part in the mass, and belongs to no other body.
"""

import numpy as np

from mb_model.beams.beam import Beam
from mb_model.beams.families import FAMILIES, tabulated
from mb_model.constraints.relation import Coordinate
from mb_model.forces.acting import Force
from mb_model.mechanism_file.description import Point

_MOST_WITH_PLACES = 2       # what one linear relation of three coordinates takes
_RIGID_KEYS = 'centre_of_gravity', 'inertia', 'shape'


def read_beam(entries, path, value, length):
    """Return the Beam of the entry of a body [m] that has `flexible`; path: of the body."""
    for key in _RIGID_KEYS:
        if key in value:
            entries.fail(f'{path}.{key}', 'not of a flexible body: it is a uniform beam between '
                                          'its first two points')
    given, path = value['flexible'], f'{path}.flexible'
    if value['mass'] == 0.0:
        entries.fail(path, 'mass: 0 must be > 0 of a beam')
    shapes, knots = bending_shapes(entries, path, given)
    try:
        return Beam(length, value['mass'], given['bending_stiffness'], shapes,
                    given['damping_ratio'], knots)
    except ValueError as error:
        entries.fail(path, str(error))


def bending_shapes(entries, path, given):
    """Return (shapes, places where they are put together of pieces, None if nowhere)."""
    count, table = given.get('modes', 1.0), given.get('table')
    if count != int(count):
        entries.fail(f'{path}.modes', f'{count:g} must be a whole number')
    if table is None:
        return [FAMILIES[given['shapes']](k + 1) for k in range(int(count))], None
    if 'modes' in given:
        entries.fail(f'{path}.modes', 'is how many deflections the table has')
    if isinstance(table, str):
        entries.fail(f'{path}.table', f'{table}: a file is read for mechanisms that are read from '
                                      'a file beside it, else a table has x and deflections')
    places, deflections = np.array(table['x']), table['deflections']
    if not (places[0] == 0.0 and (np.diff(places) > 0.0).all()):
        entries.fail(f'{path}.table.x', 'must begin with 0 and ascend')
    for k, row in enumerate(deflections):
        if len(row) != len(places):
            entries.fail(f'{path}.table.deflections[{k}]',
                         f'{len(row)} numbers must be {len(places)}, one for each x')
    places /= places[-1]
    try:
        return [tabulated(places, row) for row in deflections], places
    except ValueError as error:
        entries.fail(f'{path}.table', str(error))


def check_places(entries, path, body):
    """Check the points of a flexible body beside its first two; path: of the body."""
    others = list(body.points)[2:]
    if others and body.beam.modes > _MOST_WITH_PLACES:
        entries.fail(f'{path}.flexible', f'{body.beam.modes} modes must be '
                                         f'{_MOST_WITH_PLACES} at most of a body on more than two '
                                         'points')
    for name in others:
        if not 0.0 <= body.points[name][0] <= body.length:
            entries.fail(f'{path}.points.{name}', f'{list(body.points[name])} must be [x, y] with '
                                                  f'x from 0 to {body.length:g}: on the beam')


def added_points(bodies, points):
    """Return the Points of all modes, and the feet of further points, by name; points: of the file.
    """
    added = {}
    for body in bodies.values():
        for name in body.mode_points:
            added[name] = Point(name, False, points[next(iter(body.points))].position)
        for point in _further_points(body):
            name = foot_name(body, point)
            added[name] = Point(name, False, points[point].position)
    return added


def _further_points(body):
    return list(body.points)[2:] if body.beam is not None else []


def added_coordinates(bodies):
    """Return the Coordinates of flexible bodies by name: modes, places of further points."""
    added = {}
    for body in bodies.values():
        ends = tuple(body.points)[:2]
        for name, point in zip(body.modes, body.mode_points, strict=True):
            added[name] = Coordinate(name, 'mode', points=(*ends, point))
        for point in _further_points(body):
            for name in place_names(body, point):
                added[name] = Coordinate(name, 'place_on_beam', points=(*ends, point))
    return added


def foot_name(body, point):
    """Return the name of the point of the chord that a further point is seen from."""
    return f'{body.name}.{point}.foot'


def place_names(body, point):
    """Return the names of the coordinates of a further point from there, along and across."""
    return f'{body.name}.{point}.along', f'{body.name}.{point}.across'


def added_forces(bodies):
    """Return the springs and dampers of all modes by name."""
    return {name: Force(name, 'spring_damper', coordinate=name, stiffness=stiffness,
                        viscous=damping)
            for body in bodies.values() if body.beam is not None
            for name, stiffness, damping in zip(
                body.modes, body.beam.stiffness.tolist(), body.beam.damping.tolist(), strict=True)}
