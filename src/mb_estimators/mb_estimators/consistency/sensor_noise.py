"""The noise of a sensor's readings against what is declared, also where plant noise hides it.

A filter with much plant noise follows its readings: innovations are as large as it expects whatever
their noise, but each takes back the noise of the one before, which the estimate has followed.  With
true noise R_true, declared noise R, innovations v that are expected to have the covariance S and
have C0, and a state that hardly changes meanwhile,

    E[v_next v^T] = R S^-1 C0 - R_true

(Mehra 1970, Eq. (12), with I - H K = R S^-1), so R_true / R = v^T S^-1 v - v_next^T R^-1 v on
average.  It is 1 with the right R, however large the plant noise is.  Errors that last make it
smaller.
"""

from typing import NamedTuple

import numpy as np

from mb_model.arrays import FloatArray

_TOLERATED = 2.0 ** 2   # times as large as declared
_DEVIATIONS = 4.0       # of what chance makes of it


class SensorNoise(NamedTuple):
    """Variance of the noise of readings, 1 as declared, and what it may seem to be by chance."""

    variance: float
    bound: float


def sensor_noise(whitened: FloatArray, in_sigmas: FloatArray) -> SensorNoise | None:
    """Return the SensorNoise of innovations in a row (k, channels), None if they do not say it.

    whitened: in units of their expected covariance; in_sigmas: of the declared noise.
    """
    if len(whitened) < 2 or not np.isfinite(in_sigmas).all():
        return None
    with np.errstate(over='ignore'):        # infinite for incredible readings
        following = np.mean(in_sigmas[1:] * in_sigmas[:-1])
        chance = np.mean(in_sigmas ** 2) / np.sqrt(in_sigmas.size)
        found = float(np.mean(whitened ** 2) - following)
    bound = _TOLERATED + _DEVIATIONS * float(chance)
    return SensorNoise(found, bound) if np.isfinite((found, bound)).all() else None
