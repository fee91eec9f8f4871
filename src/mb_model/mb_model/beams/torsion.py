"""A beam that twists about its axis in assumed modes.

The section at x is turned against that at the first end by sum_k psi_k(x) tau_k.  Sections stay
plane (Saint-Venant): the energy is 1/2 int G J (sum_k psi_k' tau_k)^2 dx.
"""

from collections.abc import Callable, Sequence
from math import pi
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.beams.beam import quadrature
from mb_model.beams.families import sine

_PANELS = 32         # of Gauss and Legendre, along the beam


def clamped(k):
    """Return shape k = 1, 2, ... of a beam whose second end is free: a quarter of a sine first."""
    return lambda xi, order: sine((k - 0.5) * pi, xi, order)


def free(k):
    """Return shape k of a beam both of whose ends are free, less the turn of the first one."""
    return lambda xi, order: 0.5 * ((order == 0) - sine(k * pi, xi, order, 0.5 * pi))


def loaded(k):
    """Return shape k of a beam that carries something at its second end.

    The even twist of a moment there, then sines with both ends held.
    """
    return _even if k == 1 else lambda xi, order: sine((k - 1) * pi, xi, order)


def _even(xi, order):
    return (np.asarray(xi), np.ones_like(xi), np.zeros_like(xi))[order]


TWISTS = {'clamped': clamped, 'free': free, 'loaded': loaded}


class Torsion:
    """Torsion of a uniform beam; no springs couple its modes."""

    def __init__(self, length: float, inertia: float, stiffness: float,
                 shapes: Sequence[Callable[..., Any]], damping_ratio: float) -> None:
        """Make modes of shapes, see TWISTS.

        inertia: of the whole beam about its axis [kg m^2]; stiffness: G J [N m^2]; damping_ratio:
        of each mode by itself with the first end held.
        """
        self.length, self.whole_stiffness, self._shapes = length, stiffness, tuple(shapes)
        xi, weight = quadrature(np.linspace(0.0, 1.0, _PANELS + 1))
        turned = np.vstack([np.ones_like(xi), self._values(xi, 0)])
        # Of (1, psi_1, ...) with each other along x / L (1 + k, 1 + k).
        self.moments = (weight * turned) @ turned.T
        twisted = self._values(xi, 1)
        springs = stiffness / length * (weight * twisted) @ twisted.T
        self.stiffness = np.diag(springs)                                # [N m/rad]
        inertias = inertia * self.moments[1:, 1:]
        self.damping = 2.0 * damping_ratio * np.sqrt(
            self.stiffness * np.diag(inertias))                          # [N m s/rad]
        root = np.linalg.inv(np.linalg.cholesky(inertias))
        # With the first end held [rad/s].
        self.frequencies = np.sqrt(np.linalg.eigvalsh(root @ springs @ root.T))

    @property
    def modes(self) -> int:
        """How many modes there are (k)."""
        return len(self._shapes)

    def twist(self, x: float) -> FloatArray:
        """Return psi (k) at a position x [m]."""
        return self._values(x / self.length, 0)

    def rate(self, x: float) -> FloatArray:
        """Return the derivative of psi (k) by x at a position [1/m]."""
        return self._values(x / self.length, 1) / self.length

    def _values(self, xi, order):
        return np.array([shape(xi, order) for shape in self._shapes])
