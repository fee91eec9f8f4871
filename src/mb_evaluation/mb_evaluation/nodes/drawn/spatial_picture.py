"""A mechanism in space as markers: its solids, joints, ellipsoids of uncertainty, forces."""

import numpy as np
from std_msgs.msg import Header
from visualization_msgs.msg import Marker

from mb_evaluation.nodes.drawn.forces import ForceMarkers, contact_markers
from mb_evaluation.nodes.drawn.marker import COLOURS, new_marker, points
from mb_evaluation.scene.space import (
    GROUND,
    PIECES,
    beam_pieces,
    body_solids,
    marked_places,
    piece_solid,
)
from mb_evaluation.scene.sweeps import space_sweeps
from mb_evaluation.scene.uncertainty import ellipsoids, place_covariances
from mb_model import Mechanism, MechanismError
from mb_model.space_api import body_poses, quaternion
from mb_ros.states import pose_of

ALPHAS = {'prototype': 0.45, 'model': 0.25, 'observer': 0.9}
THINNEST = 0.004            # of ellipsoids, of the mechanism's size, so that lines are seen
JOINT = 0.02                # diameter of a joint, of the mechanism's size
_UNCERTAIN = (0.95, 0.75, 0.10)
_UP = 2                     # axis of words beside arrows


class SpatialPicture:
    """Markers of a mechanism in space."""

    def __init__(self, mechanism: Mechanism, uncertainty_scale: float):
        """Set up; uncertainty_scale: how many times larger ellipsoids are drawn."""
        self._mechanism, self._scale = mechanism, uncertainty_scale
        self._marked = marked_places(mechanism)
        poses = body_poses(mechanism, mechanism.q0)
        places = self._places(poses)
        self.size = float(np.linalg.norm(np.ptp(places, axis=0))) or 1.0        # [m]
        self._solids = {stream: self._made(stream) for stream in COLOURS}
        self.forces = ForceMarkers(mechanism, self.size, space_sweeps, _UP)
        self._above = places.mean(axis=0)
        self._above[_UP] = places[:, _UP].max() + 0.3 * self.size

    def words_at(self, line: int):
        """Return where words of a number are, above the mechanism at its start [m]."""
        x, y, z = self._above.tolist()
        return x, y, z - 0.1 * line * self.size

    def bodies(self, header: Header, stream: str, q: np.ndarray,
               covariance: np.ndarray) -> list[Marker]:
        """Return the Markers of a simulation at q (n); covariance: of z, of the observer alone."""
        poses, found = body_poses(self._mechanism, q), []
        pieces = poses | beam_pieces(self._mechanism, q)
        for body, solid, marker in self._solids[stream]:
            (origin,), (turn,) = pieces[body]
            marker.header = header
            marker.pose = pose_of(origin + turn @ solid.centre, quaternion(turn @ solid.axes))
            found.append(marker)
        places = self._places(poses)
        joints = new_marker(header, f'{stream}: joints', 0, Marker.SPHERE_LIST, COLOURS[stream],
                            ALPHAS[stream], (JOINT * self.size,) * 3)
        joints.points = points(places)
        found.append(joints)
        return found + (self._ellipsoids(header, q, covariance, places)
                        if stream == 'observer' else [])

    def contacts(self, header: Header, stream: str, contacts, alpha):
        """Return the Markers of BodyContacts."""
        return contact_markers(header, stream, contacts, self.size, None, COLOURS[stream], alpha)

    def _made(self, stream: str):
        """Return (body, solid, marker) of every solid; body: (name, piece) of one that bends."""
        found = []
        for name in self._mechanism.bodies:
            bends = name in self._mechanism.flexible_bodies
            for body, solid in ([((name, k), piece_solid(self._mechanism, name))
                                 for k in range(PIECES)] if bends else
                                [(name, one) for one in body_solids(self._mechanism, name)]):
                kind = {'box': Marker.CUBE, 'sphere': Marker.SPHERE}.get(solid.kind,
                                                                        Marker.CYLINDER)
                scale = solid.size if solid.kind == 'box' else (
                    *(2.0 * solid.size[0],) * 2,
                    2.0 * solid.size[0] if solid.kind == 'sphere' else solid.size[1])
                found.append((body, solid, new_marker(
                    Header(), f'{stream}: links', len(found), kind, COLOURS[stream],
                    ALPHAS[stream], tuple(map(float, scale)))))
        return found

    def _places(self, poses):
        """Return where the marked places are (k, 3)."""
        return np.array([poses[body][0][0] + poses[body][1][0] @ place
                         for body, place in self._marked if body != GROUND])

    def _ellipsoids(self, header: Header, q: np.ndarray, covariance: np.ndarray, places):
        """Return the Markers of how uncertain places are; none if the covariance is unknown."""
        if len(covariance) < self._mechanism.g or not np.isfinite(covariance).all():
            return []
        try:
            half, axes = ellipsoids(place_covariances(self._mechanism, q, covariance,
                                                      self._marked))
        except MechanismError:
            return []
        widths = np.maximum(2.0 * self._scale * half, THINNEST * self.size)
        found = []
        for k, (place, width, turn) in enumerate(zip(places, widths.tolist(), axes, strict=True)):
            marker = new_marker(header, 'observer: uncertainty', k, Marker.SPHERE, _UNCERTAIN, 0.5,
                                tuple(width))
            marker.pose = pose_of(place, quaternion(turn))
            found.append(marker)
        return found
