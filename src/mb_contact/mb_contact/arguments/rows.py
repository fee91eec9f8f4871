"""States at many instants as kernels take them."""

import numpy as np


def rows_of(count, name, values, dimensions=2):
    """Return values as an array with `count` rows, of numbers or, in 3 dimensions, of matrices.

    With fewer rows kernels would read beyond the end.  Raises ValueError.
    """
    values = np.ascontiguousarray(values, np.float64)
    if values.ndim != dimensions or len(values) != count:
        what = 'matrices' if dimensions == 3 else 'rows of numbers'
        raise ValueError(f'{name}: shape {values.shape} must be of {count} {what}, one for '
                         'each stamp')
    return values
