"""Requirements on what is asked: finite numbers that can be meant, the plane or space."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray
from mb_model.mechanism_file.description import MechanismError

LARGEST = 1e12      # of a quantity in SI units


def require_sensible(name: str, values: ArrayLike) -> FloatArray:
    """Return numbers as an array.

    Raises ValueError, which begins with the name, for one that is not finite or beyond LARGEST.
    """
    array = np.asarray(values, dtype=np.float64)
    wrong = array[~(np.abs(array) <= LARGEST)]
    if wrong.size:
        raise ValueError(f'{name}: {wrong[0]:g} must be finite and from {-LARGEST:g} to '
                         f'{LARGEST:g}')
    return array


def finite_vector(mechanism: str, name: str, value: ArrayLike, size: int) -> FloatArray:
    """Return value as an array (size) of finite numbers.

    Raises MechanismError, which begins with the mechanism's name and what the vector is.
    """
    try:
        array: np.ndarray = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        array = np.array(repr(value))
    if array.dtype != float or array.shape != (size,) or not np.isfinite(array).all():
        shown = (np.array2string(array, threshold=12) if array.dtype == float
                 else str(array)[:60])
        raise MechanismError(f'{mechanism}: {name}: {shown} must be {size} finite '
                             f'number{"s" * (size > 1)}')
    return array


def require_plane(mechanism: Any, what: str) -> None:
    """Raise MechanismError for a mechanism in space: `what` is known in the plane only."""
    if mechanism.dimension == 3:
        raise MechanismError(f'{mechanism.file}: {what}: only for mechanisms in the plane, not '
                             'with dimension: 3')


def require_space(mechanism: Any, what: str) -> None:
    """Raise MechanismError for a mechanism in the plane: `what` is known in space only."""
    if mechanism.dimension != 3:
        raise MechanismError(f'{mechanism.file}: {what}: only for mechanisms in space, those with '
                             'dimension: 3')
