"""A mechanism as markers: its solids, joints, ellipsoids of uncertainty, forces, contacts."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from std_msgs.msg import Header
from visualization_msgs.msg import Marker

from mb_evaluation.nodes.drawn.forces import ForceMarkers, contact_markers
from mb_evaluation.nodes.drawn.marker import COLOURS, new_marker, points
from mb_evaluation.scene import MarkedPoints, Solid, Solids
from mb_interfaces.msg import BodyContact
from mb_model import Mechanism, MechanismError
from mb_model.space_api import quaternion
from mb_ros.states import pose_of

THINNEST = 0.004            # of ellipsoids, of the mechanism's size, so that lines are seen
_UNCERTAIN = (0.95, 0.75, 0.10)
_SUNK = 0.05                # how much the model is lower than the observer, in thicknesses
_BARREL = 0.4               # alpha of barrels
KINDS = {'box': Marker.CUBE, 'cylinder': Marker.CYLINDER, 'sphere': Marker.SPHERE,
         'plate': Marker.TRIANGLE_LIST}


@dataclass(frozen=True)
class Look:
    """How one of the simulations is drawn."""

    alpha: float
    width: float = 1.0      # of bars and discs in the plane, as a share
    line: bool = False      # flat and above everything, so that the others do not hide it


LOOKS = {       # by dimension
    2: {'prototype': Look(0.9, width=0.25, line=True), 'model': Look(0.3), 'observer': Look(0.9)},
    3: {'prototype': Look(0.45), 'model': Look(0.25), 'observer': Look(0.9)}}
_UNCERTAIN_ALPHAS = {2: 0.8, 3: 0.5}


class Picture:
    """Markers of a mechanism; in the plane above it where they must not be hidden."""

    def __init__(self, mechanism: Mechanism, uncertainty_scale: float):
        """Set up; uncertainty_scale: how many times larger ellipsoids are drawn."""
        self._mechanism, self._scale = mechanism, uncertainty_scale
        self._solids, self._marked = Solids(mechanism), MarkedPoints(mechanism)
        self._up = 1 if mechanism.dimension == 2 else 2     # axis of words beside each other
        self.size = self._solids.size                       # [m]
        top, thickness = self._solids.top, self._solids.thickness
        self._joint_height, self._ellipsoid_height, self._front = (
            np.array([0.0, 0.0, top + share * thickness]) for share in (0.0, 0.3, 1.0))
        self._looks = LOOKS[mechanism.dimension]
        self._made = {stream: [*self._markers_of(stream)] for stream in COLOURS}
        self.forces = ForceMarkers(mechanism, self.size, self._up, self._front)
        positions = self._marked.positions(mechanism.q0)
        self._above = positions.mean(axis=0)
        self._above[self._up] = positions[:, self._up].max() + 0.3 * self.size

    def words_at(self, line: int) -> np.ndarray:
        """Return where words of a number are, above the mechanism at its start (3) [m]."""
        return self._above - 0.1 * line * self.size * np.eye(3)[self._up]

    def bodies(self, header: Header, stream: str, q: np.ndarray,
               covariance: np.ndarray) -> list[Marker]:
        """Return the Markers of a simulation at q (n); covariance: of z, of the observer alone."""
        poses, look = self._solids.poses(q), self._looks[stream]
        markers = []
        for frame, centre, axes, marker in self._made[stream]:
            origin, turn = poses[frame]
            marker.header = header
            marker.pose = pose_of(origin + turn @ centre, quaternion(turn @ axes))
            markers.append(marker)
        positions = self._marked.positions(q)
        joints = new_marker(header, f'{stream}: joints', 0, Marker.SPHERE_LIST, COLOURS[stream],
                            look.alpha, (look.width * self._solids.joint,) * 3)
        joints.points = points(positions + self._joint_height)
        markers.append(joints)
        return markers + (self._ellipsoids(header, q, covariance, positions)
                          if stream == 'observer' else [])

    def contacts(self, header: Header, stream: str, contacts: Iterable[BodyContact],
                 alpha: float) -> list[Marker]:
        """Return the Markers of BodyContacts."""
        return contact_markers(header, stream, contacts, self.size, self._front, COLOURS[stream],
                               alpha)

    def _markers_of(self, stream: str):
        """Yield (frame, centre (3) and axes (3, 3) in it, marker) of every solid."""
        colour, look, solids = COLOURS[stream], self._looks[stream], self._solids
        number = 0
        for frame, seen in solids.frames.items():
            for solid in seen:
                if look.line and solid.kind == 'plate':
                    continue
                name = 'plates' if solid.kind == 'plate' else 'links'
                marker = new_marker(Header(), f'{stream}: {name}', number, KINDS[solid.kind],
                                    colour, look.alpha, _scale(solid, look))
                if solid.kind == 'plate':
                    marker.points, marker.color.a = points(_fan(solid)), 0.5 * look.alpha
                number += 1
                yield frame, self._centre(solid, stream), solid.axes, marker
        for k, (frame, solid) in enumerate(solids.barrels if stream == 'observer' else ()):
            yield frame, solid.centre, solid.axes, new_marker(
                Header(), f'{stream}: cylinders', k, KINDS[solid.kind], colour, _BARREL, solid.size)

    def _centre(self, solid: Solid, stream: str) -> np.ndarray:
        """Return the centre of a solid (3), moved across the plane."""
        x, y, z = solid.centre
        if self._looks[stream].line:
            z = self._solids.top + 0.1 * self._solids.thickness
        elif stream == 'model':
            z -= _SUNK * self._solids.thickness
        return np.array([x, y, z])

    def _ellipsoids(self, header: Header, q: np.ndarray, covariance: np.ndarray,
                    positions: np.ndarray) -> list[Marker]:
        """Return the Markers of how uncertain points are; none if the covariance is unknown."""
        if len(covariance) < self._mechanism.g or not np.isfinite(covariance).all():
            return []
        try:
            half, axes = self._marked.ellipsoids(q, covariance)
        except MechanismError:
            return []
        widths = np.maximum(2.0 * self._scale * half, THINNEST * self.size).tolist()
        markers = []
        for k, (position, width, turn) in enumerate(zip(positions[self._marked.moving], widths,
                                                        axes, strict=True)):
            marker = new_marker(header, 'observer: uncertainty', k, Marker.SPHERE, _UNCERTAIN,
                                _UNCERTAIN_ALPHAS[self._mechanism.dimension], tuple(width))
            marker.pose = pose_of(position + self._ellipsoid_height, quaternion(turn))
            markers.append(marker)
        return markers


def _scale(solid: Solid, look: Look) -> tuple[float, float, float]:
    """Return the scale of the marker of a solid."""
    thin = 0.1 if look.line else 1.0
    if solid.kind == 'box':
        x, y, z = map(float, solid.size)
        return x, look.width * y, thin * z
    if solid.kind == 'plate':
        return 1.0, 1.0, 1.0
    across = 2.0 * look.width * float(solid.size[0])
    return across, across, thin * float(solid.size[1]) if solid.kind == 'cylinder' else across


def _fan(plate: Solid) -> np.ndarray:
    """Return the corners (3k, 3) of triangles that fill a plate, seen from either side."""
    corners = np.pad(plate.size, ((0, 0), (0, 1)))
    front = [corners[[0, k, k + 1]] for k in range(1, len(corners) - 1)]
    return np.concatenate([*front, *(triangle[::-1] for triangle in front)])
