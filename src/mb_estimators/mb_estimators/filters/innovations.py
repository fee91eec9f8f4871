"""The Innovation of a correction, from what its kernel has left in the record of a filter."""

import numpy as np

from mb_estimators.filter import Innovation
from mb_model.arrays import FloatArray, IntArray

_NONE = np.empty(0, np.int64)       # channels


def innovation_of(every: IntArray, figures: list[FloatArray], present: IntArray,
                  residual: FloatArray, covariance: FloatArray, rejected: IntArray) -> Innovation:
    """Return an Innovation with arrays of its own, but for `every`, where all channels count.

    every: numbers of all k channels; figures: count, rejected_count and nis (1 each); present (k),
    residual (k), covariance (k, k) and rejected (k): of the record.
    """
    count, rejected_count, nis = figures
    count, rejected_count = count.item(), rejected_count.item()
    if count == len(present):
        present = every
    else:
        present, residual, covariance = (
            present[:count].copy(), residual[:count], covariance[:count, :count])
    return Innovation(present, residual.copy(), covariance.copy(), nis.item(),
                      rejected[:rejected_count].copy() if rejected_count else _NONE)
