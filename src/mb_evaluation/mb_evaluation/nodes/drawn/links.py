"""The bodies of a mechanism as solids, its joints, and the barrels of its cylinders."""

from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, sin

import numpy as np
from std_msgs.msg import Header
from visualization_msgs.msg import Marker

from mb_evaluation.nodes.drawn.marker import COLOURS, new_marker, planar_pose, points
from mb_evaluation.scene import Bar, Disc, Plate
from mb_evaluation.scene.solids import Solids
from mb_evaluation.scene.space import PIECES
from mb_model import Mechanism, point_places
from mb_model.space_api import section_poses


@dataclass(frozen=True)
class Look:
    """How one of the simulations is drawn."""

    alpha: float
    width: float = 1.0      # of bars and discs, as a share
    line: bool = False      # flat and above everything, so that the others do not hide it


LOOKS = {'prototype': Look(0.9, width=0.25, line=True), 'model': Look(0.3), 'observer': Look(0.9)}
_SUNK = 0.05                # how much the ghost is lower than the observer, in thicknesses


class LinkMarkers:
    """Markers of one simulation, made once and moved to the places of each state."""

    def __init__(self, mechanism: Mechanism, solids: Solids, stream: str):
        """Make the markers of a Mechanism with its Solids; stream: a key of LOOKS."""
        self._mechanism, self._look, self._stream = mechanism, LOOKS[stream], stream
        self._solids = solids
        order = {name: k for k, name in enumerate(mechanism.points)}
        self._bodies = [tuple(order[point] for point in list(body.points)[:2])
                        for body in mechanism.bodies.values()]
        self._parts = [     # number of the body, place and angle in its frame, marker
            (k, *self._part(solid, self._height(name)))
            for k, (name, made) in enumerate(solids.bodies.items()) for solid in made
            if name not in mechanism.flexible_bodies
            and not (self._look.line and isinstance(solid, Plate))]
        for name in mechanism.flexible_bodies:          # their pieces come after the bodies
            size = mechanism.bodies[name].length / PIECES
            first = len(self._bodies) + PIECES * mechanism.flexible_bodies.index(name)
            self._parts += [(first + k, *self._part(solid, self._height(name)))
                            for k in range(PIECES) for solid in (
                                Bar((0.0, 0.0), (size, 0.0), solids.width),
                                Disc((0.0, 0.0), 0.5 * solids.width))]
            self._parts.append((first + PIECES - 1, *self._part(
                Disc((size, 0.0), 0.5 * solids.width), self._height(name))))
        for number, (*_, marker) in enumerate(self._parts):
            marker.id = number
        self._joints = self._new('joints', Marker.SPHERE_LIST, (
            0.6 * self._look.width * solids.width,) * 3)

    def markers(self, header: Header, q: np.ndarray) -> list[Marker]:
        """Return the Markers at q (n)."""
        places = point_places(self._mechanism, q)[0]
        poses = [_pose(places[first], places[second]) for first, second in self._bodies]
        for name in self._mechanism.flexible_bodies:
            x = np.linspace(0.0, self._mechanism.bodies[name].length, PIECES + 1)
            line = section_poses(self._mechanism, name, x, q)[0][:, :2]
            poses += [_pose(*ends) for ends in pairwise(line)]
        for body, (x, y), turned, marker in self._parts:
            (x0, y0), angle = poses[body]
            c, s = cos(angle), sin(angle)
            marker.header = header
            marker.pose = planar_pose(x0 + c * x - s * y, y0 + s * x + c * y,
                                      marker.pose.position.z, angle + turned)
        self._joints.header = header
        self._joints.points = points(places, self._solids.top)
        return [*(marker for *_, marker in self._parts), self._joints]

    def _part(self, solid: Bar | Disc | Plate, height: float):
        """Return place and angle of a solid in its body's frame, and its marker."""
        width = self._look.width
        thickness = self._solids.thickness * (0.1 if self._look.line else 1.0)
        if isinstance(solid, Bar):
            place, angle = solid.middle, solid.angle
            marker = self._new('links', Marker.CUBE, (
                solid.length, width * solid.width, thickness))
        elif isinstance(solid, Disc):
            place, angle = solid.centre, 0.0
            marker = self._new('links', Marker.CYLINDER, (
                2.0 * width * solid.radius, 2.0 * width * solid.radius, thickness))
        else:
            place, angle = (0.0, 0.0), 0.0
            marker = self._new('plates', Marker.TRIANGLE_LIST, (1.0, 1.0, 1.0))
            marker.points = points(_fan(np.array(solid.corners)), 0.0)
            marker.color.a *= 0.5
        marker.pose.position.z = height
        return place, angle, marker

    def _height(self, body: str):
        if self._look.line:
            return self._solids.top + 0.1 * self._solids.thickness
        sunk = _SUNK * self._solids.thickness if self._stream == 'model' else 0.0
        return self._solids.height(body) - sunk

    def _new(self, what: str, kind: int, scale: tuple[float, float, float]):
        return new_marker(Header(), f'{self._stream}: {what}', 0, kind, COLOURS[self._stream],
                          self._look.alpha, scale)


def _pose(first: np.ndarray, second: np.ndarray):
    """Return the place of a body's frame and its angle, from its first two points."""
    along = second - first
    return first, atan2(along[1], along[0])


def _fan(corners: np.ndarray):
    """Return the corners (3k, 2) of triangles that fill a polygon, seen from either side."""
    front = [corners[[0, k, k + 1]] for k in range(1, len(corners) - 1)]
    return np.concatenate([*front, *(triangle[::-1] for triangle in front)])


BARREL_WIDTH = 1.6                 # of a barrel, in widths of bars


class BarrelMarkers:
    """Markers of the cylinders of a simulation; none of mechanisms without."""

    def __init__(self, mechanism: Mechanism, solids: Solids, stream: str):
        """Make the markers of a Mechanism with its Solids; stream: a key of COLOURS."""
        self._mechanism, self._found = mechanism, []
        hydraulics = mechanism.described.hydraulics
        order = {name: k for k, name in enumerate(mechanism.points)}
        for k, cylinder in enumerate(hydraulics.cylinders.values() if hydraulics else ()):
            ends = mechanism.described.coordinates[cylinder.coordinate].points[:2]
            marker = new_marker(
                Header(), f'{stream}: cylinders', k, Marker.CUBE, COLOURS[stream], 0.4,
                (cylinder.retracted, BARREL_WIDTH * solids.width, solids.thickness))
            self._found.append(([order[name] for name in ends], marker))

    def markers(self, header: Header, q: np.ndarray) -> list[Marker]:
        """Return the Markers at q (n)."""
        places = point_places(self._mechanism, q)[0]
        for ends, marker in self._found:
            first, second = places[ends]
            along = second - first
            middle = first + 0.5 * marker.scale.x * along / np.linalg.norm(along)
            marker.header = header
            marker.pose = planar_pose(*middle.tolist(), angle=atan2(along[1], along[0]))
        return [marker for _, marker in self._found]
