"""Products, quotients and lengths of vectors that move.

Arrays (3, ...) are values, rates and accelerations.
"""

from collections.abc import Callable

import numpy as np

from mb_model.arrays import FloatArray


def crossed(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the vector products of vectors (3, ..., 3)."""
    return _product(np.cross, first, second)


def dotted(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the scalar products of vectors (3, ..., 3), as (3, ...)."""
    return _product(_dot, first, second)


def scaled(factor: FloatArray, vector: FloatArray) -> FloatArray:
    """Return vectors (3, ..., 3) times factors (3, ...)."""
    return _product(np.multiply, factor[..., None], vector)


def lengths(vector: FloatArray) -> FloatArray:
    """Return the lengths of vectors (3, ..., 3), as (3, ...)."""
    square = dotted(vector, vector)
    length = np.sqrt(square[0])
    rate = 0.5 * square[1] / length
    return np.array([length, rate, (0.5 * square[2] - rate ** 2) / length])


def unit(vector: FloatArray) -> FloatArray:
    """Return the unit vectors along vectors (3, ..., 3)."""
    return scaled(inverted(lengths(vector)), vector)


def inverted(value: FloatArray) -> FloatArray:
    """Return 1 / value of (3, ...)."""
    one = 1.0 / value[0]
    return np.array([one, -value[1] * one ** 2,
                     (2.0 * value[1] ** 2 * one - value[2]) * one ** 2])


def _dot(first: FloatArray, second: FloatArray) -> FloatArray:
    return np.einsum('...i,...i->...', first, second)


def _product(times: Callable[..., FloatArray], first: FloatArray, second: FloatArray) -> FloatArray:
    return np.array([
        times(first[0], second[0]), times(first[1], second[0]) + times(first[0], second[1]),
        times(first[2], second[0]) + 2.0 * times(first[1], second[1])
        + times(first[0], second[2])])
