"""Joints of a mechanism's tree from its coordinates."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from mb_import import CONTINUOUS, RobotTree
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import GROUND, single, values_of

_STEP = 1e-6        # of time, for differences of values along rates [s]


class JointReader:
    """Reads the joints of a RobotTree from the coordinates of its mechanism."""

    def __init__(self, mechanism: Mechanism, tree: RobotTree):
        """Note which joints turn, and which have the name of a coordinate."""
        self._mechanism, self._tree = mechanism, tree
        self._turning = np.array([joint.kind == CONTINUOUS for joint in tree.moving], bool)
        known = [(k, mechanism.coordinates.index(joint.name)) for k, joint in enumerate(tree.moving)
                 if mechanism.dimension == 2 and joint.name in mechanism.coordinates]
        self._known, self._coordinates = np.array(known, int).reshape(-1, 2).T

    @np.errstate(over='ignore', invalid='ignore')       # of messages that are not credible
    def read(self, q: ArrayLike, qd: ArrayLike | None = None) -> tuple[FloatArray, FloatArray]:
        """Return positions (j) and velocities (j) of the moving joints at q, qd (n).

        [rad, m and per second]; angles that are no coordinates lie between -pi and pi.  qd None: at
        rest.  In space velocities are differences along qd, with errors of some 1e-9 of the
        greatest; the angles of a ball move without limit where the second is a right angle.
        """
        q = np.asarray(q, float)
        rates = np.zeros(len(q)) if qd is None else np.asarray(qd, float)
        if self._mechanism.dimension == 2:
            positions, velocities = np.array([*self._measured(q, rates)]).reshape(-1, 2).T
            positions[self._known], velocities[self._known] = (
                values[self._coordinates] for values in (q, rates))
            return positions, velocities
        positions = self._positions(q)
        if qd is None:
            return positions, np.zeros(len(positions))
        change = self._positions(q + _STEP * rates) - self._positions(q - _STEP * rates)
        whole = 2.0 * np.pi
        change -= self._turning * whole * np.round(change / whole)
        return positions, change / (2.0 * _STEP)

    def _positions(self, q: FloatArray) -> FloatArray:
        return np.array([value for *_, values in self._hinges(q) for value in values])

    def _measured(self, q: FloatArray, qd: FloatArray) -> Iterator[tuple[float, float]]:
        """Yield positions and velocities in the plane, where a body turns once at most.

        A slide is along the axis of the body that has the line; that turns, as the body does.
        """
        for hinge, parent, child, gap, values in self._hinges(q, qd):
            frame, other = hinge.sides
            motions = single(hinge.chain)
            moves = child.velocity_of(other.origin) - parent.velocity_of(frame.origin)
            for motion, value in zip(motions, values, strict=True):
                if not motion.slides:
                    yield value, child.angular_velocity[2] - parent.angular_velocity[2]
                    continue
                body, axes = (parent, frame.axes) if motion is motions[0] else (child, other.axes)
                axis = body.rotation @ axes @ motion.before[:, 2]
                yield value, moves @ axis + gap @ np.cross(body.angular_velocity, axis)

    def _hinges(self, q: FloatArray, qd: FloatArray | None = None):
        """Yield (Hinge, motions of its parent and its group, gap (3) [m], values) of all bodies.

        gap: from the joint on the parent to the joint on the group.
        """
        moved = {name: self._mechanism.body_motion(name, q, qd)
                 for name in (GROUND, *self._mechanism.bodies)}
        for hinge, _ in self._tree.chains:
            frame, other = hinge.sides
            parent, child = moved[hinge.parent], moved[hinge.group]
            axes = parent.rotation @ frame.axes
            gap = child.position_of(other.origin) - parent.position_of(frame.origin)
            turned = axes.T @ child.rotation @ other.axes
            yield hinge, parent, child, gap, values_of(single(hinge.chain), turned, axes.T @ gap)
