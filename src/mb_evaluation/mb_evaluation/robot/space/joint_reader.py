"""Joints of a mechanism's tree in space from its coordinates."""

import numpy as np

from mb_evaluation.robot.space.tree import CONTINUOUS, joint_values

_STEP = 1e-6        # of time, for differences of places along rates [s]


class SpatialJointReader:
    """Reads the joints of a SpatialRobotTree from the coordinates of its mechanism."""

    def __init__(self, mechanism, tree):
        """Note which joints turn."""
        self._mechanism, self._tree = mechanism, tree
        self._turning = np.array([joint.kind == CONTINUOUS for joint in tree.moving])

    def read(self, q, qd=None):
        """Return positions (j) and velocities (j) of the moving joints at q, qd (n).

        [rad, m and per second]; angles lie between -pi and pi.  Velocities are differences along
        qd, with errors of some 1e-9 of the greatest; the angles of a ball move without limit where
        the second is a right angle.  qd None: at rest.
        """
        q = np.asarray(q, float)
        positions = self._at(q)
        if qd is None:
            return positions, np.zeros(len(positions))
        way = _STEP * np.asarray(qd, float)
        change = self._at(q + way) - self._at(q - way)
        whole = 2.0 * np.pi
        change -= self._turning * whole * np.round(change / whole)
        return positions, change / (2.0 * _STEP)

    def _at(self, q):
        values = joint_values(self._mechanism, self._tree, q)
        return np.array([values[joint.name] for joint in self._tree.moving])
