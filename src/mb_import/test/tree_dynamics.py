"""Dynamics of a Machine's tree by its Jacobians: another way than any simulator's recursions.

Velocities are MuJoCo's: of a free joint the origin's in global axes and the turning in the link's;
of a spherical one the turning in the link's.
"""

import numpy as np

from mb_import.machine import WORLD
from mb_model.space_api import rotation

WIDTHS = {'weld': 0, 'revolute': 1, 'prismatic': 1, 'spherical': 3, 'free': 6}
DOWN = np.array([0.0, 0.0, -9.81])


class TreeDynamics:
    """A machine at values and rates of its joints.

    values: joint -> number, or rotation matrix of a spherical joint, or (position, matrix) of a
    free one; rates: joint -> (width).
    """

    def __init__(self, machine, values, rates):
        self.machine, self.values, self.rates = machine, values, rates
        self.slices, self.size = {}, 0
        for name, joint in machine.joints.items():
            self.slices[name] = slice(self.size, self.size + WIDTHS[joint.kind])
            self.size += WIDTHS[joint.kind]
        # Of each link: position, turn, Jacobians of velocity and turning, and what of their
        # derivatives the rates alone make.
        zero = np.zeros((3, self.size))
        self.links = {WORLD: (np.zeros(3), np.eye(3), zero, zero, np.zeros(3), np.zeros(3))}
        for joint in machine.joints.values():
            self.links[joint.links[1]] = self._moved(joint, self.links[joint.links[0]])

    def _moved(self, joint, parent):
        """Return the entry of a joint's child."""
        at, turn, linear, angular, moving, turning = (np.copy(one) for one in parent)
        own, rate = self.slices[joint.name], self.rates.get(joint.name)
        value = self.values.get(joint.name, joint.drawn)
        frame, other = joint.frames
        omega = angular @ self._all_rates()

        def carry(arm):
            """Move the point of reference by an arm that turns with the link."""
            nonlocal linear, moving, at
            linear = linear - skew(arm) @ angular
            moving = moving + np.cross(turning, arm) + np.cross(omega, np.cross(omega, arm))
            at = at + arm

        carry(turn @ frame.at)
        turn = turn @ frame.turn
        if joint.kind == 'prismatic':
            axis = turn @ joint.axis
            carry(value * axis)
            linear[:, own] = axis[:, None]
            moving = moving + 2.0 * np.cross(omega, axis * rate)
        elif joint.kind == 'revolute':
            axis = turn @ joint.axis
            turn = turn @ rotation(value * joint.axis)
            angular[:, own] = axis[:, None]
            turning = turning + np.cross(omega, axis * rate)
            omega = omega + axis * rate
        elif joint.kind == 'spherical':
            turn = turn @ value
            own_omega = turn @ other.turn.T @ rate
            angular[:, own] = turn @ other.turn.T
            turning = turning + np.cross(omega, own_omega)
            omega = omega + own_omega
        elif joint.kind == 'free':
            at, turn = value
            linear[:, own.start:own.start + 3] = np.eye(3)
            angular[:, own.start + 3:own.stop] = turn
            moving, turning, omega = np.zeros(3), np.zeros(3), turn @ rate[3:]
            return at, turn, linear, angular, moving, turning
        turn = turn @ other.turn.T
        carry(-turn @ other.at)
        return at, turn, linear, angular, moving, turning

    def mass_matrix(self):
        """Return the mass matrix (n, n), armature included."""
        mass = np.zeros((self.size, self.size))
        for name, joint in self.machine.joints.items():
            for k in range(self.slices[name].start, self.slices[name].stop):
                mass[k, k] += joint.armature
        for one, turn, linear, angular, *_ in self._weighing():
            moment = turn @ one.inertia @ turn.T
            mass += one.mass * linear.T @ linear + angular.T @ moment @ angular
        return mass

    def bias(self):
        """Return what efforts hold rates constant (n): of inertia and weight, not of springs."""
        gravity = DOWN if self.machine.gravity is None else self.machine.gravity
        rates = self._all_rates()
        total = np.zeros(self.size)
        for one, turn, linear, angular, moving, turning in self._weighing():
            moment, omega = turn @ one.inertia @ turn.T, angular @ rates
            total += linear.T @ (one.mass * (moving - gravity)) + angular.T @ (
                moment @ turning + np.cross(omega, moment @ omega))
        return total

    def passive(self):
        """Return the efforts of springs and dampers of hinges and slides (n)."""
        total = np.zeros(self.size)
        for name, joint in self.machine.joints.items():
            if joint.is_scalar:
                total[self.slices[name]] = (
                    -joint.stiffness * (self.values[name] - joint.rest)
                    - joint.damping * np.ravel(self.rates[name])[0])
        return total

    def _all_rates(self):
        rates = np.zeros(self.size)
        for name, one in self.rates.items():
            rates[self.slices[name]] = one
        return rates

    def _weighing(self):
        """Yield Inertials, and of their links the turn and what their centres have."""
        rates = self._all_rates()
        for name, link in self.machine.links.items():
            if link.inertial is not None:
                _, turn, linear, angular, moving, turning = self.links[name]
                arm, omega = turn @ link.inertial.centre, angular @ rates
                yield (link.inertial, turn, linear - skew(arm) @ angular, angular,
                       moving + np.cross(turning, arm) + np.cross(omega, np.cross(omega, arm)),
                       turning)


def skew(vector):
    """Return the matrix (3, 3) whose product with another is vector x other."""
    x, y, z = vector
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
