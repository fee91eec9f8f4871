"""Arguments of methods: errors of their set-up, and states as kernels take them."""

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray


class ContactError(ValueError):
    """A method that cannot be set up as asked for; the text says what and why."""


def rows_of(count: int, name: str, values: ArrayLike, dimensions: int = 2) -> FloatArray:
    """Return values as an array with `count` rows, of numbers or, in 3 dimensions, of matrices.

    With fewer rows kernels would read beyond the end.  Raises ValueError.
    """
    values = np.ascontiguousarray(values, np.float64)
    if values.ndim != dimensions or len(values) != count:
        what = 'matrices' if dimensions == 3 else 'rows of numbers'
        raise ValueError(f'{name}: shape {values.shape} must be of {count} {what}, one for '
                         'each stamp')
    return values
