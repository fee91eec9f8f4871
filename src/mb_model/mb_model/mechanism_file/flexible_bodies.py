"""Flexible bodies of a mechanism file, and what they add to it: points, coordinates, springs.

In the plane the vector w_k, q_k across the chord in a size of its own, of mode k of a body on A and
B is the point A + w_k.  It moves like a point of q, takes part in the mass, and belongs to no other
body.  In space each point of such a body is the origin of a section: a body of its own, `arm.tip`
by the point tip of arm, that joints, forces and sensors name.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.beams.beam import Beam
from mb_model.beams.families import FAMILIES, tabulated
from mb_model.beams.spatial_beam import SpatialBeam
from mb_model.beams.torsion import TWISTS, Torsion
from mb_model.constraints.relation import MODE, Coordinate
from mb_model.forces.acting import Force
from mb_model.mechanism_file.description import Body, Point
from mb_model.mechanism_file.entries import Entries
from mb_model.space.body import Offset, Pose, SpatialBody
from mb_model.space.joint import Joint
from mb_model.space.joints.beam_sections import FIRST, SECTION

_MOST_WITH_POINTS = 2       # what one linear relation of three coordinates takes
_RIGID_KEYS = 'centre_of_gravity', 'inertia', 'shape'


def read_beam(entries: Entries, path: str, value: Mapping[str, Any], length: float) -> Beam:
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


def bending_shapes(entries: Entries, path: str,
                   given: Mapping[str, Any]) -> tuple[list[Any], FloatArray | None]:
    """Return (shapes, knots where they are put together of pieces, None if nowhere)."""
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
    knots, deflections = np.array(table['x']), table['deflections']
    if not (knots[0] == 0.0 and (np.diff(knots) > 0.0).all()):
        entries.fail(f'{path}.table.x', 'must begin with 0 and ascend')
    for k, row in enumerate(deflections):
        if len(row) != len(knots):
            entries.fail(f'{path}.table.deflections[{k}]',
                         f'{len(row)} numbers must be {len(knots)}, one for each x')
    knots /= knots[-1]
    try:
        return [tabulated(knots, row) for row in deflections], knots
    except ValueError as error:
        entries.fail(f'{path}.table', str(error))


def check_further_points(entries: Entries, path: str, body: Body) -> None:
    """Check the points of a flexible body beside its first two; path: of the body."""
    others = list(body.points)[2:]
    if others and body.beam.modes > _MOST_WITH_POINTS:
        entries.fail(f'{path}.flexible', f'{body.beam.modes} modes must be '
                                         f'{_MOST_WITH_POINTS} at most of a body on more than two '
                                         'points')
    for name in others:
        if not 0.0 <= body.points[name][0] <= body.length:
            entries.fail(f'{path}.points.{name}', f'{list(body.points[name])} must be [x, y] with '
                                                  f'x from 0 to {body.length:g}: on the beam')


def added_points(bodies: Mapping[str, Body], points: Mapping[str, Point]) -> dict[str, Point]:
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


def _further_points(body: Body) -> list[str]:
    return list(body.points)[2:] if body.beam is not None else []


def added_coordinates(bodies: Mapping[str, Body]) -> dict[str, Coordinate]:
    """Return the Coordinates of flexible bodies by name: modes, offsets of further points."""
    added = {}
    for body in bodies.values():
        ends = tuple(body.points)[:2]
        for name, point in zip(body.modes, body.mode_points, strict=True):
            added[name] = Coordinate(name, MODE, 'm', points=(*ends, point))
        for point in _further_points(body):
            for name in offset_names(body, point):
                added[name] = Coordinate(name, 'point_on_beam', 'm', points=(*ends, point))
    return added


def foot_name(body: Body, point: str) -> str:
    """Return the name of the point of the chord that a further point is seen from."""
    return f'{body.name}.{point}.foot'


def offset_names(body: Body, point: str) -> tuple[str, str]:
    """Return the names of the coordinates of a further point from there, along and across."""
    return f'{body.name}.{point}.along', f'{body.name}.{point}.across'


def added_forces(bodies: Mapping[str, Body]) -> dict[str, Force]:
    """Return the springs and dampers of all modes by name."""
    return {name: Force(name, 'spring_damper', coordinate=name, stiffness=stiffness,
                        viscous=damping)
            for body in bodies.values() if body.beam is not None
            for name, stiffness, damping in zip(
                body.modes, body.beam.stiffness.tolist(), body.beam.damping.tolist(), strict=True)}


_RIGID_IN_SPACE = 'centre_of_gravity', 'inertia'
_RIGID_CHOICES = 'slender', 'variable_places'
_ACROSS = {'y': 'about_z', 'z': 'about_y'}      # axis of a deflection -> what it bends about


def read_flexible_body(entries: Entries, name: str, value: Mapping[str, Any],
                       pose: Pose | None) -> SpatialBody:
    """Return the SpatialBody of an entry that has `flexible`; raises MechanismError."""
    path, given, points = f'bodies.{name}', value['flexible'], value['points']
    for key in (*(key for key in _RIGID_IN_SPACE if key in value),
                *(key for key in _RIGID_CHOICES if value[key])):
        entries.fail(f'{path}.{key}', 'not of a flexible body: it is a uniform beam between its '
                                      'first two points')
    if value['shapes']:
        entries.fail(f'{path}.shapes', 'not of a flexible body: shapes do not bend')
    if value['mass'] == 0.0:
        entries.fail(f'{path}.flexible', 'mass: 0 must be > 0 of a beam')
    length = _length(entries, f'{path}.points', points)
    beam = _beam(entries, f'{path}.flexible', given, length, value['mass'])
    across = value['mass'] * length * length / 12.0
    return SpatialBody(name, points, value['mass'], (0.5 * length, 0.0, 0.0),
                       np.diag([beam.axial_inertia, across, across]), pose=pose, beam=beam)


def _length(entries: Entries, path: str, points: Mapping[str, Offset]) -> float:
    """Return the length of a beam [m]: the x of its second point."""
    if len(points) < 2:
        entries.fail(path, 'a flexible body has two points at least, its ends')
    (first, start), (second, end), *others = points.items()
    if tuple(start) != (0.0, 0.0, 0.0):
        entries.fail(f'{path}.{first}', 'the first point must be at [0, 0, 0]')
    if not end[0] > 0.0 or any(end[1:]):
        entries.fail(f'{path}.{second}', f'{list(end)} must be [x, 0, 0] with x > 0: the second '
                                         'point is the other end')
    for name, offset in others:
        if not 0.0 < offset[0] < end[0] or any(offset[1:]):
            entries.fail(f'{path}.{name}', f'{list(offset)} must be [x, 0, 0] with x from 0 to '
                                           f'{end[0]:g}: a section of the beam')
    return end[0]


def _beam(entries: Entries, path: str, given: Mapping[str, Any], length: float,
          mass: float) -> SpatialBeam:
    """Return the SpatialBeam of an entry `flexible`."""
    stiffness, ratio = given['bending_stiffness'], given['damping_ratio']
    if not stiffness:
        entries.fail(f'{path}.bending_stiffness', 'must have about_y, about_z or both')
    shapes, knots = bending_shapes(entries, path, given)
    try:
        bending = {axis: Beam(length, mass, stiffness[key], shapes, ratio, knots)
                   for axis, key in _ACROSS.items() if key in stiffness}
    except ValueError as error:
        entries.fail(path, str(error))
    return SpatialBeam(bending, given['axial_inertia'], _torsion(
        entries, path, given, length) if 'torsion' in given else None)


def _torsion(entries: Entries, path: str, given: Mapping[str, Any], length: float) -> Torsion:
    """Return the Torsion of an entry `flexible`."""
    torsion = given['torsion']
    count = torsion['modes']
    if count != int(count):
        entries.fail(f'{path}.torsion.modes', f'{count:g} must be a whole number')
    return Torsion(length, given['axial_inertia'], torsion['stiffness'],
                   [TWISTS[torsion['shapes']](k + 1) for k in range(int(count))],
                   given['damping_ratio'])


def sections_of(bodies: Mapping[str, SpatialBody]) -> dict[str, SpatialBody]:
    """Return the sections of flexible bodies (SpatialBody) by name."""
    return {name: SpatialBody(name, {name.rpartition('.')[2]: (0.0, 0.0, 0.0)}, 0.0,
                              (0.0, 0.0, 0.0), np.zeros((3, 3)))
            for body in bodies.values() for name in body.sections}


def section_joints(bodies: Mapping[str, SpatialBody]) -> dict[str, Joint]:
    """Return the Joints that tie sections to their bodies, by the names of the sections."""
    return {name: Joint(name, (SECTION if k else FIRST).name, (body.name, name),
                        (np.array([x, 0.0, 0.0]), np.zeros(3)), (np.eye(3), np.eye(3)))
            for body in bodies.values() for k, (name, x) in enumerate(body.sections.items())}


def mode_coordinates(bodies: Mapping[str, SpatialBody]) -> dict[str, Coordinate]:
    """Return the SpatialCoordinates of modes by name, and those by which several shapes shorten."""
    coordinates = {}
    for body in bodies.values():
        if body.beam is None:
            continue
        coordinates |= {name: Coordinate(name, MODE, spring.unit)
                  for name, spring in zip(body.modes, body.beam.springs, strict=True)}
        if body.beam.shape.modes > 1:
            coordinates[body.shortening] = Coordinate(body.shortening, 'shortening', 'm')
    return coordinates


def mode_springs(bodies: Mapping[str, SpatialBody]) -> dict[str, Force]:
    """Return the springs and dampers of all modes by name."""
    return {name: Force(name, 'spring_damper', coordinate=name, stiffness=spring.stiffness,
                        viscous=spring.damping)
            for body in bodies.values() if body.beam is not None
            for name, spring in zip(body.modes, body.beam.springs, strict=True)}
