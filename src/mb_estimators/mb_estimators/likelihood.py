"""The likelihood of readings by a filter."""

import numpy as np

from mb_estimators.observation import Observation
from mb_model.arrays import FloatArray

_LEFT_OUT = 450.0       # what a reading 30 standard deviations off costs; 30 is the usual gate


def log_likelihood(readings: FloatArray, observed: Observation) -> float:
    """Return the mean over readings of the logarithm of their density, given those before.

        sum over instants of -1/2 (r' S^-1 r + log det S + k log 2 pi)

    of k innovations r with the covariance S that the filter expects, by the number of readings.
    readings (k, channels), observed: the Observation of them.  Readings that the filter left out
    count as so improbable that leaving any out does not pay.
    Source: Schweppe 1965, "Evaluation of likelihood functions for Gaussian signals".
    """
    given, used = np.isfinite(readings), np.isfinite(observed.innovation)
    total = -_LEFT_OUT * np.count_nonzero(given & ~used)
    for channels in np.unique(used, axis=0):
        rows = np.flatnonzero((used == channels).all(axis=1))
        places = np.flatnonzero(channels)
        if places.size:
            r = observed.innovation[np.ix_(rows, places)]
            S = observed.innovation_covariance[np.ix_(rows, places, places)]
            total += _log_density(r, S)
    return total / np.count_nonzero(given)


def _log_density(r, S):
    """Return the sum over k of the logarithm of N(r; 0, S); r (k, c), S (k, c, c)."""
    squares = np.einsum('ki,ki->k', r, np.linalg.solve(S, r[:, :, None])[:, :, 0])
    return -0.5 * np.sum(squares + np.linalg.slogdet(2.0 * np.pi * S)[1])
