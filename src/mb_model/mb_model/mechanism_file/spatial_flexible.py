"""Flexible bodies of a file with `dimension: 3`, and what they add: sections, modes, springs.

Each point of such a body is the origin of a section: a body of its own, `arm.tip` by the point tip
of arm, that joints, forces and sensors name.
"""

import numpy as np

from mb_model.beams.beam import Beam
from mb_model.beams.spatial_beam import SpatialBeam
from mb_model.beams.torsion import TWISTS, Torsion
from mb_model.forces.acting import Force
from mb_model.mechanism_file.flexible_bodies import bending_shapes
from mb_model.space.body import SpatialBody
from mb_model.space.coordinate import MODE, SHORTENING, SpatialCoordinate
from mb_model.space.joint import Joint
from mb_model.space.joints.sections import FIRST, SECTION

_RIGID_KEYS = 'centre_of_gravity', 'inertia'
_RIGID_CHOICES = 'slender', 'variable_places'
_ACROSS = {'y': 'about_z', 'z': 'about_y'}      # axis of a deflection -> what it bends about


def read_flexible_body(entries, name, value, pose):
    """Return the SpatialBody of an entry that has `flexible`; raises MechanismError."""
    path, given, points = f'bodies.{name}', value['flexible'], value['points']
    for key in (*(key for key in _RIGID_KEYS if key in value),
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


def _length(entries, path, points):
    """Return the length of a beam [m]: the x of its second point."""
    if len(points) < 2:
        entries.fail(path, 'a flexible body has two points at least, its ends')
    (first, start), (second, end), *others = points.items()
    if tuple(start) != (0.0, 0.0, 0.0):
        entries.fail(f'{path}.{first}', 'the first point must be at [0, 0, 0]')
    if not end[0] > 0.0 or any(end[1:]):
        entries.fail(f'{path}.{second}', f'{list(end)} must be [x, 0, 0] with x > 0: the second '
                                         'point is the other end')
    for name, place in others:
        if not 0.0 < place[0] < end[0] or any(place[1:]):
            entries.fail(f'{path}.{name}', f'{list(place)} must be [x, 0, 0] with x from 0 to '
                                           f'{end[0]:g}: a section of the beam')
    return end[0]


def _beam(entries, path, given, length, mass):
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


def _torsion(entries, path, given, length):
    """Return the Torsion of an entry `flexible`."""
    torsion = given['torsion']
    count = torsion['modes']
    if count != int(count):
        entries.fail(f'{path}.torsion.modes', f'{count:g} must be a whole number')
    return Torsion(length, given['axial_inertia'], torsion['stiffness'],
                   [TWISTS[torsion['shapes']](k + 1) for k in range(int(count))],
                   given['damping_ratio'])


def sections_of(bodies):
    """Return the sections of flexible bodies (SpatialBody) by name."""
    return {name: SpatialBody(name, {name.rpartition('.')[2]: (0.0, 0.0, 0.0)}, 0.0,
                              (0.0, 0.0, 0.0), np.zeros((3, 3)))
            for body in bodies.values() for name in body.sections}


def section_joints(bodies):
    """Return the Joints that tie sections to their bodies, by the names of the sections."""
    return {name: Joint(name, (SECTION if k else FIRST).name, (body.name, name),
                        (np.array([x, 0.0, 0.0]), np.zeros(3)), (np.eye(3), np.eye(3)))
            for body in bodies.values() for k, (name, x) in enumerate(body.sections.items())}


def mode_coordinates(bodies):
    """Return the SpatialCoordinates of modes by name, and those by which several shapes shorten."""
    found = {}
    for body in bodies.values():
        if body.beam is None:
            continue
        found |= {name: SpatialCoordinate(name, MODE, spring.unit)
                  for name, spring in zip(body.modes, body.beam.springs, strict=True)}
        if body.beam.shape.modes > 1:
            found[body.shortening] = SpatialCoordinate(body.shortening, SHORTENING, 'm')
    return found


def mode_springs(bodies):
    """Return the springs and dampers of all modes by name."""
    return {name: Force(name, 'spring_damper', coordinate=name, stiffness=spring.stiffness,
                        viscous=spring.damping)
            for body in bodies.values() if body.beam is not None
            for name, spring in zip(body.modes, body.beam.springs, strict=True)}
