"""Shapes of beams of uniform section: bending modes by how the ends are held.

A shape is a function (xi, order): deflection at xi = x / L, or its derivative in xi of an order.
All are zero at both ends: from others, their chord is taken away, as the x axis of a
flexible body runs through its first two points.  Source: Blevins 1979, Table 8-1.
"""

from math import cosh, pi, sinh, tanh

import numpy as np

from mb_model.arrays import FloatArray

_STRAIGHT = 1e-9      # deflections against the largest number of a table that are rounding


def pinned(k):
    """Return shape k = 1, 2, ... of a beam with both ends on pins."""
    return lambda xi, order: sine(k * pi, xi, order)


def free(k):
    """Return shape k of a beam whose first end is on a pin and whose second one is free.

    tan b = tanh b; it turns as a whole, too, which its chord does.
    """
    b = (k + 0.25) * pi
    for _ in range(20):
        b -= (np.sin(b) - np.cos(b) * tanh(b)) / (2.0 * np.sin(b) * tanh(b))
    return without_chord(lambda xi, order: sine(b, xi, order) + np.sin(b) / sinh(b) * _odd(
        b, xi, order))


def clamped(k):
    """Return shape k of a beam whose first end is clamped and whose second one is free.

    cos b cosh b = -1; its slope in the first end, against the chord, is not zero.
    """
    b = (k - 0.5) * pi
    for _ in range(20):
        b += (np.cos(b) + 1.0 / cosh(b)) / (np.sin(b) + tanh(b) / cosh(b))
    ratio = (cosh(b) + np.cos(b)) / (sinh(b) + np.sin(b))

    def shape(xi, order):
        return (_odd(b, xi, order + 1) / b - sine(b, xi, order + 1) / b
                - ratio * (_odd(b, xi, order) - sine(b, xi, order)))

    return without_chord(shape)


def without_chord(shape):
    """Return a shape less the straight line through its ends."""
    start, end = (float(shape(at, 0)) for at in (0.0, 1.0))

    def bent(xi: FloatArray, order: int) -> FloatArray:
        line = (start + (end - start) * xi, end - start, 0.0)[min(order, 2)]
        return shape(xi, order) - line

    return bent


def tabulated(positions, deflections):
    """Return a shape through deflections (m) at positions (m) from 0 to 1: a cubic spline.

    Raises ValueError if they are on a line.
    """
    # Imported here: scipy takes a tenth of a second.
    from scipy.interpolate import CubicSpline
    spline = CubicSpline(positions, deflections)
    bent = without_chord(lambda xi, order: spline(xi, order))
    if not np.abs(bent(positions, 0)).max() > _STRAIGHT * np.abs(deflections).max():
        raise ValueError('a shape without deflection')
    return bent


def sine(b, xi, order, phase=0.0):
    """Return a derivative of sin(b xi + phase) in xi."""
    return b ** order * np.sin(b * np.asarray(xi) + phase + 0.5 * pi * order)


def _odd(b, xi, order):
    """Return a derivative of sinh(b xi) in xi."""
    return b ** order * (np.cosh if order % 2 else np.sinh)(b * np.asarray(xi))


FAMILIES = {'pinned': pinned, 'free': free, 'clamped': clamped}
