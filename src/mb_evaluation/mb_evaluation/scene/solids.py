"""What is seen of the bodies of a mechanism: solids in frames that move.

In the plane all solids are of one thickness, on levels on which no joined bodies meet.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from mb_evaluation.scene.points import extent
from mb_model import Mechanism, point_positions
from mb_model.space_api import (
    across,
    body_poses,
    section_poses,
    shortest_connections,
)

PIECES = 12                 # of a body that bends, each of them straight
WIDTH, SHARE = 0.04, 0.2    # of bars in the plane: of the size, at most of the median body's length
THICKNESS = 0.6             # of solids in the plane, in widths
_PIN = 0.35                 # radius of what is seen of fixed points in the plane, in widths
_BARREL = 1.6               # width of the barrel of a cylinder in the plane, in widths
_BAR = 0.02                 # in space: radius of a bar of a body without shapes, of its reach


@dataclass(frozen=True, eq=False)
class Solid:
    """A 'box', 'cylinder', 'sphere' or 'plate' in the frame of what it is a solid of.

    size: edges (3); radius and length along z; radius; corners (k, 2) of a convex polygon [m];
    centre (3) [m]; axes (3, 3): columns.
    """

    kind: str
    size: tuple
    centre: np.ndarray
    axes: np.ndarray = field(default_factory=lambda: np.eye(3))


class Solids:
    """The solids of a mechanism.

    solids: frame -> Solids in it; a frame is the name of a body, or (name, number) of a piece of
    one that bends; ground: what stands still; barrels: (frame, Solid) of cylinders in the plane;
    size: of the mechanism [m]; thickness, top: of all solids in the plane, above them; 0 in space;
    joint: diameter of a joint [m].
    """

    def __init__(self, mechanism: Mechanism):
        """Give every body of a Mechanism its shape; one without gets bars between its points."""
        self._mechanism = mechanism
        self.size = extent(mechanism)[0]
        self.thickness = self.top = 0.0
        self.ground: list[Solid] = []
        self.barrels: list[tuple[Hashable, Solid]] = []
        if mechanism.dimension == 3:
            self.joint = _BAR * self.size
            self.bodies = {name: _in_space(mechanism, name) for name in mechanism.bodies}
        else:
            self._levels_of_plane()
        self.frames: dict[Hashable, list[Solid]] = {}
        for name, solids in self.bodies.items():
            bends = name in mechanism.flexible_bodies
            self.frames |= dict.fromkeys(
                [(name, k) for k in range(PIECES)] if bends else [name],
                self._piece(name) if bends else solids)

    def poses(self, q: np.ndarray) -> dict[Hashable, tuple[np.ndarray, np.ndarray]]:
        """Return frame -> (origin (3) [m], rotation matrix (3, 3)) at q (n)."""
        mechanism = self._mechanism
        poses: dict[Hashable, tuple] = {name: (origin[0], turn[0]) for name, (origin, turn)
                                        in body_poses(mechanism, q).items()}
        for name in mechanism.flexible_bodies:
            size = _length(mechanism, name) / PIECES
            sections = section_poses(mechanism, name, size * (np.arange(PIECES) + 0.5), q)
            poses |= {(name, k): pose for k, pose in enumerate(zip(*sections, strict=True))}
        if self.barrels:
            positions = dict(zip(mechanism.points, point_positions(mechanism, q)[0], strict=True))
            for ends, _ in self.barrels:
                first, second = (positions[end] for end in ends)
                poses[ends] = np.array([*first, 0.0]), _along(second - first)
        return poses

    def _levels_of_plane(self):
        """Set what is of one thickness, on levels."""
        mechanism = self._mechanism
        lengths = [body.length for body in mechanism.bodies.values()]
        width = min(WIDTH * self.size, SHARE * float(np.median(lengths)))
        self.width, self.thickness, self.joint = width, THICKNESS * width, 0.6 * width
        self.levels = _levels(mechanism.bodies)
        self.top = self.thickness * (max(self.levels.values()) + 0.5)
        self.bodies = {name: [*self._in_plane(body.shape, list(body.points.values()),
                                              self.thickness * self.levels[name])]
                       for name, body in mechanism.bodies.items()}
        self.ground = [self._disc(point.position, _PIN * width, 0.5 * (
            self.top - 0.5 * self.thickness), self.top + self.thickness)
            for point in mechanism.points.values() if point.fixed]
        hydraulics = mechanism.described.hydraulics
        for cylinder in hydraulics.cylinders.values() if hydraulics else ():
            long = cylinder.retracted
            self.barrels.append((
                mechanism.described.coordinates[cylinder.coordinate].points[:2],
                Solid('box', (long, _BARREL * width, self.thickness),
                      np.array([0.5 * long, 0.0, 0.0]))))

    def _in_plane(self, shape, points: list, height: float) -> Iterator[Solid]:
        """Yield the Solids of a body in the plane: a bar, disc or plate with round corners."""
        if shape and shape.is_disc:
            yield self._disc(shape.ends[0], shape.radius, height)
            return
        corners, width = (shape.ends, 2.0 * shape.radius) if shape else (points, self.width)
        plate = len(corners) > 2
        for first, second in pairwise([*corners, corners[0]] if plate else corners):
            line = np.subtract(second, first)
            if line.any():
                yield Solid('box', (float(np.hypot(*line)), width, self.thickness),
                            np.array([*(0.5 * np.add(first, second)), height]), _along(line))
        for corner in corners:
            yield self._disc(corner, 0.5 * width, height)
        if plate:
            yield Solid('plate', tuple(corners), np.array([0.0, 0.0, height]))

    def _disc(self, middle: ArrayLike, radius: float, height: float,
              thickness: float | None = None) -> Solid:
        return Solid('cylinder', (radius, self.thickness if thickness is None else thickness),
                     np.array([*middle, height]))

    def _piece(self, name: str) -> list[Solid]:
        """Return the Solids of a piece of a flexible body, whose x axis is along it."""
        length = _length(self._mechanism, name)
        half = 0.5 * length / PIECES
        if self._mechanism.dimension == 3:
            return [Solid('cylinder', (_BAR * length, 2.0 * half), np.zeros(3),
                          np.eye(3)[:, [1, 2, 0]])]
        return [*self._in_plane(None, [(-half, 0.0), (half, 0.0)],
                                self.thickness * self.levels[name])]


def _in_space(mechanism: Mechanism, name: str) -> list[Solid]:
    """Return what is seen of a body in space: its shapes, else bars to its joints."""
    body = mechanism.bodies[name]
    if body.shapes:
        return [Solid(solid.kind if solid.kind in ('box', 'sphere') else 'cylinder',
                      tuple(solid.size[:{'box': 3, 'sphere': 1}.get(solid.kind, 2)]),
                      solid.centre, solid.axes) for solid in body.shapes]
    nodes = [np.array(local) for local in body.points.values()]
    nodes += [local for joint in mechanism.joints.values()
              for other, local in zip(joint.bodies, joint.offsets, strict=True) if other == name]
    nodes = [*np.unique(np.array([*nodes, body.centre_of_gravity]), axis=0)]
    reach = max(np.linalg.norm(node - nodes[0]) for node in nodes)
    bars = []
    for i, j in shortest_connections(nodes) if reach > 0.0 else ():
        line = nodes[j] - nodes[i]
        z, x = line / np.linalg.norm(line), across(line)
        bars.append(Solid('cylinder', (_BAR * reach, float(np.linalg.norm(line))),
                          0.5 * (nodes[i] + nodes[j]), np.column_stack([x, np.cross(z, x), z])))
    return bars


def _length(mechanism: Mechanism, name: str) -> float:
    """Return the length of a flexible body [m]."""
    body = mechanism.bodies[name]
    return body.length if mechanism.dimension == 2 else body.beam.shape.length


def _along(line: np.ndarray) -> np.ndarray:
    """Return the axes (3, 3) of a frame in the plane with x along a line (2)."""
    x, y = line / np.hypot(*line)
    return np.array([[x, -y, 0.0], [y, x, 0.0], [0.0, 0.0, 1.0]])


def _levels(bodies) -> dict[str, int]:
    """Return the lowest level for each body on which no earlier one shares a point with it."""
    levels: dict[str, int] = {}
    for name, body in bodies.items():
        near = {level for other, level in levels.items()
                if not body.points.keys().isdisjoint(bodies[other].points)}
        levels[name] = next(level for level in range(len(bodies)) if level not in near)
    return levels
