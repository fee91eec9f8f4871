"""Vectors that come from outside."""

import numpy as np

from mb_model.mechanism_file.description import MechanismError


def finite_vector(mechanism, name, value, size):
    """Return value as an array (size) of finite numbers.

    Raises MechanismError, which begins with the mechanism's name and what the vector is.
    """
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        array = np.array(repr(value))
    if array.dtype != float or array.shape != (size,) or not np.isfinite(array).all():
        shown = (np.array2string(array, threshold=12) if array.dtype == float
                 else str(array)[:60])
        raise MechanismError(f'{mechanism}: {name}: {shown} must be {size} finite '
                             f'number{"s" * (size > 1)}')
    return array
