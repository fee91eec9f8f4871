"""Elements <link>: masses, inertias, shapes."""

from dataclasses import replace

import numpy as np

from mb_import.machine import Inertial, Link, Shape
from mb_import.notes import Notes
from mb_import.readers.sdf.frames import Scope
from mb_import.readers.sdf.geometry import Geometry, read_geometry
from mb_import.readers.sdf.poses import read_flag, read_pose
from mb_import.solids import combined, solid
from mb_import.xml_text import Element, label, number
from mb_model.space_api import Pose

_WATER = 1000.0              # kg/m^3, the density of SDF where none is said
_LOOKS = ('pose', 'inertial', 'collision', 'visual', 'sensor', 'light', 'self_collide',
          'enable_wind', 'audio_sink', 'audio_source', 'plugin')


def read_link(element: Element, scope: Scope, name: str) -> Link:
    """Return the Link of an element; name: its full name.  Raises MechanismError."""
    notes, item = scope.notes, label(element)
    home = scope.frames.frame(name).pose
    for child in element:
        if child.tag == 'gravity' and not read_flag(child.text, True, notes, f'{item}: gravity'):
            notes.left_out(item, 'has no gravity: gravity acts on all bodies')
        elif child.tag not in _LOOKS and child.tag != 'gravity':
            notes.left_out(item, f'<{child.tag}> has no meaning for a mechanism')
    solids = _geometries(element, 'collision', scope, home, item)
    inertial = _inertial(element, scope, home, item, solids)
    seen = _geometries(element, 'visual', scope, home, item) or solids
    return Link(name, inertial, tuple(shape for geometry in seen
                                      if (shape := _shape(geometry, notes, item)) is not None))


def _geometries(element: Element, tag: str, scope: Scope, home: Pose,
                item: str) -> list[Geometry]:
    """Return what of a link is of its surface: poses are in the link's frame."""
    listed = []
    for child in element.findall(tag):
        inner = f'{item}: {label(child)}'
        pose, base = read_pose(child, scope.notes, inner)
        if base:
            pose = home.inverse().then(scope.frame(base, inner).pose.then(pose))
        geometry = read_geometry(child, scope.notes, inner)
        if geometry is not None:
            listed.append(replace(geometry, pose=pose))
    return listed


def _shape(geometry: Geometry, notes: Notes, item: str) -> Shape | None:
    kind, size = geometry.kind, geometry.size
    if kind == 'ellipsoid' and max(size) == min(size):
        kind, size = 'sphere', size[:1]
    if kind in ('ellipsoid', 'cone'):
        notes.left_out(item, f'a shape {kind} is not drawn')
        return None
    return Shape(kind, size, geometry.pose, geometry.mesh)


def _inertial(element: Element, scope: Scope, home: Pose, item: str,
              solids: list[Geometry]) -> Inertial | None:
    """Return mass, centre of gravity and inertia in the link's frame."""
    notes, inertial = scope.notes, element.find('inertial')
    if inertial is None:
        notes.guessed(item, 'has no <inertial>, taken without mass; Gazebo takes 1 kg and '
                            '1 kg m^2')
        return None
    if inertial.find('fluid_added_mass') is not None:
        notes.left_out(item, '<fluid_added_mass>: no fluid moves with a body')
    if read_flag(inertial.get('auto'), False, notes, f'{item}: inertial auto'):
        return _of_solids(inertial, solids, notes, item)
    pose, base = read_pose(inertial, notes, f'{item}: inertial')
    if base:
        pose = home.inverse().then(scope.frame(base, f'{item}: inertial').pose.then(pose))
    mass = _mass(inertial, notes, item)
    matrix = _matrix(inertial.find('inertia'), notes, item)
    return Inertial(mass, pose.at, pose.turn @ matrix @ pose.turn.T)


def _mass(inertial: Element, notes: Notes, item: str) -> float:
    if inertial.find('mass') is None:
        notes.guessed(item, 'has no <mass>, taken as 1 kg, the default of SDF')
    mass = number(inertial.findtext('mass'), notes, f'{item}: mass', 1.0)
    if mass < 0.0:
        raise notes.error(f'{item}: mass', f'{mass:g} kg must be >= 0')
    return mass


def _matrix(element: Element | None, notes: Notes, item: str) -> np.ndarray:
    """Return the inertia (3, 3) about the centre of gravity, in axes of <inertial>."""
    if element is None:
        notes.guessed(item, 'has no <inertia>, taken as 1 kg m^2 about each axis, the default of '
                            'SDF')
        return np.eye(3)
    xx, yy, zz = (number(element.findtext(tag), notes, f'{item}: {tag}', 1.0)
                  for tag in ('ixx', 'iyy', 'izz'))
    xy, xz, yz = (number(element.findtext(tag), notes, f'{item}: {tag}', 0.0)
                  for tag in ('ixy', 'ixz', 'iyz'))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _of_solids(inertial: Element, solids: list[Geometry], notes: Notes,
               item: str) -> Inertial | None:
    """Return what collision shapes and densities make: shapes that overlap count twice.

    A mass, if it is said, scales all.
    """
    general = number(inertial.findtext('density'), notes, f'{item}: density', _WATER)
    parts = []
    for geometry in solids:
        density = general if geometry.density is None else geometry.density
        if density <= 0.0:
            raise notes.error(f'{item}: density', f'{density:g} kg/m^3 must be > 0')
        if geometry.kind == 'mesh':
            notes.left_out(item, f'the mass of mesh {geometry.mesh[:80]}: write its mass and '
                                 'inertia in <inertial>')
        else:
            parts.append(solid(geometry.kind, geometry.size, density, geometry.pose))
    whole = combined(parts)
    if whole is None:
        notes.guessed(item, '<inertial auto="true"> without a solid <collision>: taken without '
                            'mass')
        return None
    if inertial.find('mass') is None:
        return whole
    factor = _mass(inertial, notes, item) / whole.mass
    return Inertial(whole.mass * factor, whole.centre, whole.inertia * factor)
