"""A trajectory of piecewise polynomials: the form of all planned motions here."""

from collections.abc import Sequence
from math import factorial
from typing import Any

from numba import float64
import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray
from mb_model.jit import entry
from mb_model.kernel_api import bound
from mb_simulation.control.motion import Motion

_DEGREE = 5


@entry
def evaluate(breaks, coefficients, t, out):
    """Write value, velocity and acceleration at t to out (3, g).

    breaks (k + 1): where pieces begin, and the end; coefficients (degree + 1, k, g): of falling
    powers of the time since the beginning of a piece.  t must be between the first and last break.
    """
    piece = min(np.searchsorted(breaks, t, side='right') - 1, coefficients.shape[1] - 1)
    u = t - breaks[piece]
    for k in range(out.shape[1]):
        z, zd, zdd = 0.0, 0.0, 0.0
        for power in range(coefficients.shape[0]):
            zdd = zdd * u + zd
            zd = zd * u + z
            z = z * u + coefficients[power, piece, k]
        out[0, k], out[1, k], out[2, k] = z, zd, 2.0 * zdd


class PolynomialTrajectory:
    """A motion of pieces of degree 5, at rest before its start and after its end.

    With `repeat_from` [s] it continues from there at its end instead, as often as needed.
    """

    def __init__(self, breaks: ArrayLike, coefficients: ArrayLike,
                 repeat_from: float | None = None) -> None:
        """Make it of breaks (k + 1) [s], the first 0, and coefficients; see evaluate."""
        self.breaks = np.ascontiguousarray(breaks, float)
        self.coefficients = np.ascontiguousarray(coefficients, float)
        self.repeat_from = repeat_from
        self.duration = float(self.breaks[-1])
        self._evaluate = bound(
            evaluate, (self.breaks, self.coefficients), float64, float64[:, ::1])

    def at(self, t: float) -> Motion:
        """Return the Motion at t [s]."""
        if t > self.duration and self.repeat_from is not None:
            t = self.repeat_from + (t - self.repeat_from) % (self.duration - self.repeat_from)
        out = np.empty((3, self.coefficients.shape[2]))
        self._evaluate(min(max(t, 0.0), self.duration), out)
        return Motion(*out)


def chain(parts: Sequence[PolynomialTrajectory],
          repeat_from: int | None = None) -> PolynomialTrajectory:
    """Return one PolynomialTrajectory of several, one after the other.

    repeat_from: number of the part from which to go on at the end.
    """
    begins = np.cumsum([0.0] + [part.duration for part in parts])
    breaks = [begin + part.breaks[:-1] for begin, part in zip(begins, parts, strict=False)]
    return PolynomialTrajectory(
        np.concatenate((*breaks, begins[-1:])),
        np.concatenate([part.coefficients for part in parts], axis=1),
        None if repeat_from is None else float(begins[repeat_from]))


def rest(z: FloatArray, duration: float = 1.0) -> PolynomialTrajectory:
    """Return the PolynomialTrajectory that stays at z (g)."""
    coefficients = np.zeros((_DEGREE + 1, 1, len(z)))
    coefficients[-1, 0] = z
    return PolynomialTrajectory([0.0, duration], coefficients)


def of_spline(spline: Any, repeat_from: float | None = None) -> PolynomialTrajectory:
    """Return the PolynomialTrajectory of a BSpline of values (g), its first piece from 0 on."""
    degree, knots = spline.k, spline.t[spline.k:len(spline.c) + 1]
    knots = knots[np.append(True, np.diff(knots) > 0.0)]
    coefficients = [spline(knots[:-1], power) / factorial(power)
                    for power in range(degree, -1, -1)]
    return PolynomialTrajectory(knots - knots[0], np.array(coefficients), repeat_from)


def through(times: FloatArray, z: FloatArray, zd: FloatArray,
            zdd: FloatArray) -> PolynomialTrajectory:
    """Return the PolynomialTrajectory through motions (k, g) at times (k) [s], the first 0.

    Between two instants it is the polynomial of degree 5 that meets all six values.
    """
    h = np.diff(times)[:, None]
    c0, c1, c2 = z[:-1], zd[:-1], 0.5 * zdd[:-1]
    # The remainder at the end of a piece, per power of its length.
    a = (z[1:] - c0 - h * (c1 + h * c2)) / h ** 3
    b = (zd[1:] - c1 - 2.0 * h * c2) / h ** 2
    c = (zdd[1:] - 2.0 * c2) / h
    return PolynomialTrajectory(times, np.array([
        (6.0 * a - 3.0 * b + 0.5 * c) / h ** 2, (-15.0 * a + 7.0 * b - c) / h,
        10.0 * a - 4.0 * b + 0.5 * c, c2, c1, c0]))
