"""Joints of a mechanism's tree from its coordinates."""

import numpy as np

from mb_evaluation.robot.tree import CONTINUOUS
from mb_model import point_places


class JointReader:
    """Reads the joints of a RobotTree from the coordinates of its mechanism."""

    def __init__(self, mechanism, tree):
        """Note where the joints' bodies and points are found."""
        self._mechanism = mechanism
        self._order = {name: k for k, name in enumerate(mechanism.points)}
        self._bodies = {name: tuple(self._order[point] for point in list(body.points)[:2])
                        for name, body in mechanism.bodies.items()}
        self._fixed = np.array([point.fixed for point in mechanism.points.values()])
        self._joints = tree.moving
        self._known = [mechanism.coordinates.index(joint.name)
                       if joint.name in mechanism.coordinates else None for joint in self._joints]

    @np.errstate(over='ignore', invalid='ignore')       # of messages that are not credible
    def read(self, q, qd=None):
        """Return positions (j) and velocities (j) of the moving joints at q, qd (n).

        [rad, m and per second]; angles that are no coordinates lie between -pi and pi.
        qd None: at rest.
        """
        q = np.asarray(q, dtype=float)
        qd = np.zeros(len(q)) if qd is None else np.asarray(qd, dtype=float)
        places = point_places(self._mechanism, q)[0] @ (1.0, 1j)
        rates = np.zeros(len(places), complex)
        rates[~self._fixed] = qd[:2 * (~self._fixed).sum()].reshape(-1, 2) @ (1.0, 1j)
        values = [(q[known], qd[known]) if known is not None else self._measured(
            joint, places, rates) for joint, known in zip(self._joints, self._known, strict=True)]
        return np.array(values).reshape(-1, 2).T

    def _measured(self, joint, places, rates):
        """Return position and velocity of a joint from complex places and rates of points (p)."""
        if joint.kind == CONTINUOUS:
            direction, rate = self._direction(joint.of, places, rates)
            base, base_rate = self._direction(joint.against, places, rates)
            return np.angle(direction / base), rate - base_rate
        first, second, point = (self._order[name] for name in joint.points)
        line, arm = places[second] - places[first], places[point] - places[first]
        turning, moving = rates[second] - rates[first], rates[point] - rates[first]
        # The line is rigid: its length stays.
        return ((line.conjugate() * arm).real / abs(line),
                (turning.conjugate() * arm + line.conjugate() * moving).real / abs(line))

    def _direction(self, body, places, rates):
        """Return the direction of a body's x axis and its rate of turning, 1 and 0 of ''."""
        if not body:
            return 1.0 + 0.0j, 0.0
        first, second = self._bodies[body]
        line, turning = places[second] - places[first], rates[second] - rates[first]
        return line, (line.conjugate() * turning).imag / abs(line) ** 2
