"""The covariance of a filter's states, as its record carries it: itself, or its factor."""

from functools import cached_property
from typing import Any

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filter.layout import MOTION, Layout
from mb_estimators.kernels.dependent_state import spread_covariance
from mb_estimators.state import without_views
from mb_model import Mechanism
from mb_model.arrays import RecordArray


class FullCovariance:
    """The covariance P in a FILTER record, of the states of a Layout.

    given: how many states a covariance given for the start is of: z, zd and, if they are states,
    zdd.
    """

    def __init__(self, filters: RecordArray, layout: Layout):
        self._filters, self._layout = filters, layout
        self.given = layout.count(*MOTION)

    def start(self, covariance: Any):
        """Write the covariance of the start: a given one, or, if None, the layout's."""
        P, size = self._filters['P'][0], self._layout.size
        start = np.diag(self._layout.variances)
        if covariance is not None:
            start[:self.given, :self.given] = covariance
        P[:] = 0.0
        P[:size, :size] = start

    @cached_property
    def _of_motion(self):
        return self._filters['P'][0, :self.given, :self.given]

    def of_motion(self):
        """Return the covariance of z and zd, and of zdd if that is estimated."""
        return self._of_motion.copy()

    def of_states(self):
        """Return the covariance of all states (l, l)."""
        size = self._layout.size
        return self._filters['P'][0, :size, :size].copy()

    def deviations(self, block: str):
        """Return the standard deviations of the states of a block, by its name."""
        return np.sqrt(self._filters['P'][0].diagonal()[self._layout[block]])

    __getstate__ = without_views


class FactoredCovariance:
    """The covariance in a DEPENDENT record, of q, qd and biases: P = factor factor^T.

    The covariance of z, zd at the start (given: 2g) spreads to q and qd as the constraints allow;
    `as_published` all of q and qd start with the variances of the layout.
    """

    def __init__(self, mechanism: Mechanism, works: RecordArray, filters: RecordArray,
                 layout: Layout):
        self._models, self._works, self._filters = mechanism.model, works, filters
        self._layout = layout
        self._g, self._n, self.given = mechanism.g, mechanism.n, 2 * mechanism.g

    def start(self, covariance: Any):
        """Write the covariance of the start; see FullCovariance.start."""
        record, layout = self._filters[0], self._layout
        free = covariance is None and record['as_published'] == 1
        size = layout['bias'].start if free else self.given
        deviations = np.sqrt(layout.variances)
        factor = record['factor']
        factor[:] = 0.0
        if covariance is None:
            np.fill_diagonal(factor[:size, :size], deviations[:size])
        else:
            factor[:size, :size] = np.linalg.cholesky(covariance)
        biases = deviations[layout['bias']]
        np.fill_diagonal(factor[size:size + len(biases), size:size + len(biases)], biases)
        if not free:
            spread_covariance(self._models, self._works, self._filters)

    def of_motion(self):
        """Return the covariance of z and zd (2g, 2g)."""
        z = self._models['independent'][0, :self._g]
        rows = self._filters['factor'][0][np.concatenate([z, self._n + z]), :self._layout.size]
        factor = np.linalg.qr(rows.T, mode='r')
        return factor.T @ factor

    def of_states(self):
        """Return the covariance of all states (l, l)."""
        size = self._layout.size
        factor = self._filters['factor'][0, :size, :size]
        return factor @ factor.T

    def deviations(self, block: str):
        """Return the standard deviations of the states of a block, by its name."""
        return np.linalg.norm(self._filters['factor'][0, self._layout[block]], axis=1)


def checked_covariance(covariance, size):
    """Return a covariance (size, size).  Raises FilterError if it is not positive definite."""
    covariance = np.asarray(covariance, dtype=np.float64)
    if covariance.shape != (size, size):
        raise FilterError(f'covariance: shape {covariance.shape} must be {(size, size)}')
    if not np.isfinite(covariance).all():
        raise FilterError('covariance: must be finite')
    if not np.allclose(covariance, covariance.T, rtol=1e-9, atol=0.0):
        raise FilterError('covariance: must be symmetric')
    try:
        np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        raise FilterError('covariance: must be positive definite') from None
    return (covariance + covariance.T) / 2.0
