"""The points of a mechanism that viewers mark: where they are, how uncertain; how large it is."""

from math import log

import numpy as np

from mb_model import Mechanism, MechanismError, point_positions
from mb_model.space_api import GROUND, body_poses

PROBABILITY = 0.95          # with which ellipses and ellipsoids hold their points
FARTHEST = 0.2              # that a state is taken along its motion [s]
# Of chi-square with as many degrees of freedom as the mechanism has dimensions
_QUANTILES = {2: -2.0 * log(1.0 - PROBABILITY), 3: 7.814727903}


class MarkedPoints:
    """The points of bodies and, where the file names none, of joints."""

    def __init__(self, mechanism: Mechanism):
        """Choose the points of a Mechanism."""
        self._mechanism = mechanism
        if mechanism.dimension == 3:
            self._on_bodies = _points_in_space(mechanism)
            self.moving = np.arange(len(self._on_bodies))
            return
        deflections = {one.points[2] for one in mechanism.described.coordinates.values()
                       if one.kind == 'mode'}
        marked = [k for k, name in enumerate(mechanism.points) if name not in deflections]
        fixed = np.array([point.fixed for point in mechanism.points.values()])
        self._indices = np.array(marked)
        self.moving = np.flatnonzero(~fixed[marked])    # indices of points that have a covariance
        self._rows = (np.cumsum(~fixed) - 1)[marked][self.moving]       # of them among all moving

    def __len__(self) -> int:
        return len(self._on_bodies if self._mechanism.dimension == 3 else self._indices)

    def positions(self, q: np.ndarray) -> np.ndarray:
        """Return the positions (k, 3) [m] at q (n); in the plane in z = 0."""
        if self._mechanism.dimension == 2:
            return np.pad(point_positions(self._mechanism, q)[0][self._indices], ((0, 0), (0, 1)))
        poses = body_poses(self._mechanism, q)
        return np.array([poses[body][0][0] + poses[body][1][0] @ local
                         for body, local in self._on_bodies])

    def covariances(self, q: np.ndarray, covariance: np.ndarray) -> np.ndarray:
        """Return the covariances (m, 3, 3) [m^2] of the m moving points, to first order.

        covariance: of z, zd, ... in this order, square with at least (g, g).  By the velocity
        transformation, dq = R dz, so that cov(q) = R cov(z) R^T.
        Raises MechanismError where R is not known: singular positions, sparse storage.
        """
        g, R = self._mechanism.g, self._mechanism.R(q)
        jacobians = np.zeros((len(self.moving), 3, g))
        if self._mechanism.dimension == 2:
            for axis in range(2):
                jacobians[:, axis] = R[2 * self._rows + axis]
        else:
            for k, (body, local) in enumerate(self._on_bodies):
                for node, weight in self._mechanism.point_terms(body, local):
                    if node < self._mechanism.n:
                        jacobians[k] += weight * R[node:node + 3]
        return jacobians @ np.asarray(covariance)[:g, :g] @ jacobians.transpose(0, 2, 1)

    def ellipsoids(self, q: np.ndarray,
                   covariance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return half axes (m, 3) [m] and directions, columns of rotation matrices (m, 3, 3).

        Of ellipsoids, in the plane ellipses, that hold the normally distributed moving points with
        PROBABILITY: the squared Mahalanobis distance is chi-square.  With one degree of freedom
        they are lines.  Raises as covariances() does.
        """
        variances, axes = np.linalg.eigh(self.covariances(q, covariance))
        axes[..., 0] *= np.sign(np.linalg.det(axes))[:, None]
        return np.sqrt(_QUANTILES[self._mechanism.dimension] * np.maximum(variances, 0.0)), axes


def _points_in_space(mechanism: Mechanism) -> list[tuple[str, tuple]]:
    """Return (body, local) of every point of bodies, and of joints where no body has one.

    Without any of these: of centres of gravity.
    """
    points = [(body.name, point) for body in mechanism.bodies.values()
              for point in body.points.values()]
    for joint in mechanism.joints.values():
        side = 0 if joint.bodies[1] == GROUND else 1
        points.append((joint.bodies[side], joint.offsets[side]))
    points = points or [(body.name, body.centre_of_gravity) for body in mechanism.bodies.values()]
    return list(dict.fromkeys((body, tuple(np.round(local, 12))) for body, local in points))


def extent(mechanism: Mechanism) -> tuple[float, np.ndarray, np.ndarray]:
    """Return (size [m], least and greatest positions (3) [m]) of a Mechanism at its start."""
    positions = MarkedPoints(mechanism).positions(mechanism.q0)
    least, greatest = positions.min(axis=0), positions.max(axis=0)
    if mechanism.dimension == 3:
        return float(np.linalg.norm(greatest - least)) or 1.0, least, greatest
    lengths = [body.length for body in mechanism.bodies.values()]
    return float(max(*lengths, *(greatest - least))), least, greatest


def moved_on(mechanism: Mechanism, q: np.ndarray, z: np.ndarray, zd: np.ndarray, zdd: np.ndarray,
             passed: float) -> np.ndarray:
    """Return q (n) after some time [s] of constant zdd (g), or the same q if that is impossible.
    """
    if not 0.0 < passed < FARTHEST or not len(z) == len(zd) == len(zdd) == mechanism.g:
        return q
    try:
        return mechanism.assemble(z + passed * (zd + 0.5 * passed * zdd), near=q)
    except MechanismError:
        return q
