"""Positions, velocities and accelerations of a planar body tree from its joint angles.

In the complex plane every point of a tree is r = r0 + sum_b c_b exp(i phi_b), a sum over the bodies
between the ground and the point, with phi_b the absolute angle of body b and c_b its share in the
body's frame.  Hence

    r'  = sum_b i w_b c_b exp(i phi_b)
    r'' = sum_b (i a_b - w_b^2) c_b exp(i phi_b)
"""

import numpy as np


class TreeMotion:
    """Maps joint angles to the absolute angles of the bodies and the motion of their points."""

    def __init__(self, tree, bodies, positions, start_angles):
        """Prepare the sums.

        tree: BodyTree; bodies: name -> Body; positions: point -> position at the start [m];
        start_angles: body -> absolute angle at the start [rad].
        """
        self.bodies = tuple(joint.body for joint in tree.joints)
        self.points = tuple(dict.fromkeys(p for body in self.bodies for p in bodies[body].points))
        column = {body: k for k, body in enumerate(self.bodies)}
        self._start = np.array([start_angles[body] for body in self.bodies])    # (b)
        self._above = np.zeros((len(self.bodies), len(self.bodies)))            # (b, b)
        origin, share = {}, {}
        for joint in tree.joints:
            row = column[joint.body]
            if joint.parent is not None:
                self._above[row] = self._above[column[joint.parent]]
            self._above[row, row] = 1.0
            if joint.parent is None:
                origin.setdefault(joint.point, complex(*positions[joint.point]))
                share.setdefault(joint.point, np.zeros(len(self.bodies), complex))
            body = bodies[joint.body]
            for point, local in body.points.items():
                if point not in origin:
                    origin[point] = origin[joint.point]
                    share[point] = share[joint.point].copy()
                    share[point][row] = complex(*np.subtract(local, body.points[joint.point]))
        self._origin = np.array([origin[point] for point in self.points])       # (p)
        self._share = np.array([share[point] for point in self.points])         # (p, b)

    def angles(self, joints):
        """Return the absolute angles of the bodies from the joint angles, both (b) [rad]."""
        return self._start + self._above @ joints

    def rates(self, joint_rates):
        """Return absolute angular rates (or accelerations) from those of the joints, both (b)."""
        return self._above @ joint_rates

    def joint_rates(self, body_rates):
        """Return the joint rates (b) from the absolute rates of the bodies, given by name."""
        return np.linalg.solve(self._above, [body_rates[body] for body in self.bodies])

    def points_at(self, angles, rates, accelerations):
        """Return positions, velocities and accelerations of the points, (p, 2) each."""
        arms = self._share * np.exp(1j * angles)
        motions = (self._origin + arms.sum(axis=1), arms @ (1j * rates),
                   arms @ (1j * accelerations - rates ** 2))
        return tuple(np.column_stack((motion.real, motion.imag)) for motion in motions)
