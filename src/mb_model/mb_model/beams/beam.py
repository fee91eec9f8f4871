"""A beam that bends in assumed modes: what its masses, springs and positions follow from.

Floating frame of reference: the chord from the first to the second point of the body is the x axis.
With A and B, the vectors to these points, and n, across the chord,

    r(x) = (1 - x / L) A + (x / L) B + sum_k phi_k(x) q_k n

is linear in A, B and the vectors q_k n, so that the mass matrix of these is constant and the
energy of bending, q^T K q / 2, is quadratic (Shabana 2020, Dynamics of Multibody Systems, Ch. 5;
natural coordinates for the frame: Garcia de Jalon and Bayo 1994, Sec. 11.2).  The beam does not
stretch: bending shortens the chord, see constraints.kinds.bent_length, and with it all of the beam
alike.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray

_PANELS, _NODES = 32, 8      # of Gauss and Legendre, along the beam
_POINTS = 1001               # where the largest deflection is looked for
_ALIKE = 1e-8                # eigenvalues below this share are of shapes that are alike


class Beam:
    """A beam of uniform mass and section, with modes that no springs couple."""

    def __init__(self, length: float, mass: float, bending_stiffness: float,
                 shapes: Sequence[Callable[..., Any]], damping_ratio: float,
                 knots: FloatArray | None = None) -> None:
        """Make modes out of shapes, see families; knots: positions x / L where shapes have joints.

        bending_stiffness: EI [N m^2].  Modes are those combinations of the shapes in which an axial
        force would buckle the beam with both ends held, the lowest first: of sines and of a single
        shape the modes of its vibration.  The largest deflection of each is 1.  damping_ratio: of
        each mode by itself with both ends held.  Raises ValueError for shapes that depend on each
        other.
        """
        self.length, self.mass = length, mass
        self.bending_stiffness, self.damping_ratio = bending_stiffness, damping_ratio
        self._shapes = tuple(shapes)
        xi, weight = quadrature(np.linspace(0.0, 1.0, _PANELS + 1) if knots is None else knots)
        bent, steep, curved = (self._values(xi, order) / length ** order for order in range(3))
        inertia = mass * (weight * bent) @ bent.T
        shortening = length * (weight * steep) @ steep.T
        springs = bending_stiffness * length * (weight * curved) @ curved.T
        along = np.linspace(0.0, 1.0, _POINTS)
        self._mix = _uncoupled(shortening, springs, along, self._values(along, 0))
        inertia, shortening, springs = (
            self._mix @ matrix @ self._mix.T for matrix in (inertia, shortening, springs))
        self.stiffness = np.diag(springs)                                # [N/m]
        self.damping = 2.0 * damping_ratio * np.sqrt(
            self.stiffness * np.diag(inertia))                           # [N s/m]
        # Of the vectors of modes, see bent_length.
        self.sizes = np.sqrt(length * np.diag(shortening))
        root = np.linalg.inv(np.linalg.cholesky(inertia))
        # With both ends held [rad/s].
        self.frequencies = np.sqrt(np.linalg.eigvalsh(root @ springs @ root.T))
        self._xi, self._weight = xi, weight

    @property
    def modes(self) -> int:
        """How many modes there are (k)."""
        return len(self._mix)

    def deflection(self, x: float) -> FloatArray:
        """Return phi (k) at a position x [m]."""
        return self._mix @ self._values(x / self.length, 0)

    def slope(self, x: float) -> FloatArray:
        """Return the derivative of phi (k) by x at a position [1/m]."""
        return self._mix @ self._values(x / self.length, 1) / self.length

    def curvature(self, x: float) -> FloatArray:
        """Return the second derivative of phi (k) by x at a position [1/m^2]."""
        return self._mix @ self._values(x / self.length, 2) / self.length ** 2

    @cached_property
    def mass_matrix(self) -> FloatArray:
        """Masses (2 + k, 2 + k) [kg] between the ends A, B and the points that stand for modes."""
        bent = self._mix @ self._values(self._xi, 0) / self.sizes[:, None]
        weights = np.vstack([1.0 - self._xi - bent.sum(axis=0), self._xi, bent])
        return self.mass * (self._weight * weights) @ weights.T

    def _values(self, xi, order):
        """Return derivatives of the shapes (s, ...) in x / L."""
        return np.array([shape(xi, order) for shape in self._shapes])


def quadrature(knots):
    """Return positions and weights along knots."""
    node, weight = np.polynomial.legendre.leggauss(_NODES)
    start, size = knots[:-1, None], np.diff(knots)[:, None]
    return (start + 0.5 * size * (node + 1.0)).ravel(), (0.5 * size * weight).ravel()


def _uncoupled(shortening, springs, positions, shapes):
    """Return combinations (k, s) of shapes that neither of two matrices (s, s) couples.

    By their deflections (s, p) at positions (p), the largest of each is 1; near the first end they
    are rather positive.
    """
    sizes = 1.0 / np.sqrt(np.diag(shortening))
    scaled = shortening * np.outer(sizes, sizes)
    if np.linalg.eigvalsh(scaled)[0] < _ALIKE:
        raise ValueError('shapes depend on each other')
    inverse = np.linalg.inv(np.linalg.cholesky(scaled)) * sizes
    _, vectors = np.linalg.eigh(inverse @ springs @ inverse.T)
    mix = vectors.T @ inverse
    bent = mix @ shapes
    return mix * (np.sign(bent @ (1.0 - positions)) / np.abs(bent).max(axis=1))[:, None]
