"""Four-bar and five-bar linkage in minimal coordinates, in plain numpy: nothing of ours in it.

Two bases, a crank on each or none, and two links that meet in a joint.  Every function takes
complex numbers, so derivatives are taken by complex steps.
"""

from dataclasses import dataclass

import numpy as np

_STEP = 1e-30
_SETTLED = 1e-11


@dataclass(frozen=True)
class PlainLinkage:
    """Uniform rods: crank (length 0: none) at each base, links from both to the joint above."""

    bases: tuple                # (x, y) of both [m]
    cranks: tuple               # lengths [m]
    links: tuple                # lengths [m]
    masses: tuple               # left crank, left link, right link, right crank [kg]
    gravity: float = 9.81       # m/s^2

    def joints(self, z):
        """Return left end, joint, right end (3 of (2)), their Jacobians (2, g), link normals."""
        ends, jacobians = [], []
        for k, (base, length) in enumerate(zip(self.bases, self.cranks, strict=True)):
            jacobian = np.zeros((2, len(z)), z.dtype)
            end = np.array(base, z.dtype)
            if length > 0.0:
                end += length * np.array([np.cos(z[k]), np.sin(z[k])])
                jacobian[:, k] = length * np.array([-np.sin(z[k]), np.cos(z[k])])
            ends.append(end)
            jacobians.append(jacobian)
        (left, right), (left_z, right_z) = ends, jacobians
        apart = right - left
        square = apart @ apart
        along = (self.links[0] ** 2 - self.links[1] ** 2 + square) / (2.0 * square)
        across = np.sqrt(self.links[0] ** 2 / square - along ** 2)
        joint = left + along * apart + across * np.array([-apart[1], apart[0]])
        normals = np.array([joint - left, joint - right])     # links keep their length:
        joint_z = np.linalg.solve(normals, np.array([normals[0] @ left_z, normals[1] @ right_z]))
        return (left, joint, right), (left_z, joint_z, right_z), normals

    def dynamics(self, z, zd, force):
        """Return zdd (g) by Lagrange's equations, and the mass matrix (g, g)."""
        (left, _, right), (left_z, joint_z, right_z), normals = self.joints(z)
        to_left, to_right = (joint_z - left_z) @ zd, (joint_z - right_z) @ zd
        left_c, right_c = ((base - end) * rate ** 2 if length > 0.0 else 0.0 * end
                           for base, end, rate, length in zip(
                               np.array(self.bases), (left, right), (zd[0], zd[-1]), self.cranks,
                               strict=True))
        joint_c = np.linalg.solve(normals, np.array([
            normals[0] @ left_c - to_left @ to_left, normals[1] @ right_c - to_right @ to_right]))
        fixed = (np.zeros((2, len(z))), np.zeros(2))
        left, joint, right = (left_z, left_c), (joint_z, joint_c), (right_z, right_c)
        inertia, load = 0.0, force
        rods = zip(((fixed, left), (left, joint), (joint, right), (right, fixed)), self.masses,
                   strict=True)
        for ((a_z, a_c), (b_z, b_c)), mass in rods:
            inertia = inertia + mass / 6.0 * (2.0 * a_z.T @ a_z + 2.0 * b_z.T @ b_z
                                              + a_z.T @ b_z + b_z.T @ a_z)
            load = load - mass / 6.0 * (a_z.T @ (2.0 * a_c + b_c) + b_z.T @ (a_c + 2.0 * b_c))
            load = load - mass / 2.0 * self.gravity * (a_z + b_z)[1]
        return np.linalg.solve(inertia, load), np.real(inertia)

    def link_rates(self, z, zd):
        """Return the angular velocities of the links: both, or the left one beside one crank."""
        _, (left_z, joint_z, right_z), normals = self.joints(z)
        return np.array([(arm[0] * rate[1] - arm[1] * rate[0]) / (arm @ arm) for arm, rate in zip(
            normals, ((joint_z - left_z) @ zd, (joint_z - right_z) @ zd), strict=True)])[:len(z)]

    def step(self, z, zd, zdd, force, dt):
        """Return z, zd, zdd after a step dt [s] of the trapezoidal rule."""
        z1, zd1 = z + dt * zd, zd + dt * zdd
        for _ in range(100):
            zdd1 = self.dynamics(z1, zd1, force)[0]
            before, zd1 = zd1, zd + 0.5 * dt * (zdd + zdd1)
            z1 = z + 0.5 * dt * (zd + zd1)
            if max(abs(zd1 - before)) < _SETTLED:
                break
        return z1, zd1, zdd1


def derivative(function, x):
    """Return the Jacobian of a function at x."""
    steps = 1j * _STEP * np.eye(len(x))
    return np.array([np.imag(function(x + step)) / _STEP for step in steps]).T


FOUR_BAR = PlainLinkage(((0.0, 0.0), (10.0, 0.0)), (2.0, 0.0), (8.0, 5.0), (2.0, 8.0, 5.0, 0.0))
FIVE_BAR = PlainLinkage(((0.0, 0.0), (3.0, 0.0)), (0.5, 0.5), (2.061553, 3.201562),
                        (3.0, 1.0, 2.0, 3.0))
