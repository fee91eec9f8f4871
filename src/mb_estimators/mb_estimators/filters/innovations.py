"""The Innovation of a correction, from what its kernel has left in the record of a filter."""

import numpy as np

from mb_estimators.filter import Innovation
from mb_model.arrays import RecordArray

_NONE = np.empty(0, np.int64)       # channels


class InnovationViews:
    """Views of the innovation in a record (1) of a filter, of k channels."""

    def __init__(self, filters: RecordArray, k: int) -> None:
        """Set up."""
        record = filters[0]
        self._figures = [filters[name] for name in ('count', 'rejected_count', 'nis')]
        self._views = (record['present'][:k], record['residual'][:k],
                       record['residual_covariance'][:k, :k])
        self._rejected = record['rejected'][:k]
        self._every = np.arange(k)
        self._every.flags.writeable = False

    def innovation(self) -> Innovation:
        """Return an Innovation with arrays of its own, but for channels, where all count."""
        count, rejected, nis = (figure.item() for figure in self._figures)
        present, residual, covariance = self._views
        if count == len(present):
            present = self._every
        else:
            present, residual, covariance = (
                present[:count].copy(), residual[:count], covariance[:count, :count])
        return Innovation(present, residual.copy(), covariance.copy(), nis,
                          self._rejected[:rejected].copy() if rejected else _NONE)
