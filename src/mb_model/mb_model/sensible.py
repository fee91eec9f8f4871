"""Which numbers from outside can be meant: finite ones, and none that no machine has."""

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray

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
