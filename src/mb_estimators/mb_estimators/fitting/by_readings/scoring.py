"""The most likely noises of a frozen system, by Fisher scoring."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.fitting.by_readings.frozen import FrozenSystem, Likelihood, likelihood
from mb_estimators.fitting.by_readings.noises import Noises
from mb_model.arrays import FloatArray, IntArray

_BELIEVED = 5.0         # deviation of logarithms before: two decades either side
_STEP = 2.0             # of a logarithm, at most
_END = 1e-5             # of the logarithm of the likelihood: too little to go on
_MOST = 60              # evaluations


@dataclass(frozen=True)
class Scored:
    """The most likely noises.

    noises; logarithms (p): of the free ones; covariance (p, p): of these; likelihood: there.
    """

    noises: Noises
    logarithms: FloatArray
    covariance: FloatArray
    likelihood: Likelihood

    @property
    def values(self) -> FloatArray:
        """All noises."""
        return self.noises.at(self.logarithms)

    @property
    def deviations(self) -> FloatArray:
        """Of the logarithms (p)."""
        return np.sqrt(np.diagonal(self.covariance))


def most_likely(system: FrozenSystem, noises: Noises, counted: IntArray,
                start: FloatArray) -> Scored:
    """Return the Scored of a FrozenSystem, from logarithms (p) of free noises.

    Scoring with the damping of Levenberg and Marquardt; what the file says is believed within two
    decades.  counted (k): 1 where readings count.
    """
    def at(x: FloatArray) -> tuple[float, Likelihood]:
        now = likelihood(system, noises.at(x), noises.ties, counted)
        return now.value - 0.5 * float(np.sum((x - noises.start) ** 2)) / _BELIEVED ** 2, now

    x, damping, p = start.copy(), 1e-6, len(start)
    value, now = at(x)
    for _ in range(_MOST if p else 0):
        gradient, information = _slopes(noises, now, x)
        step = np.linalg.solve(information + damping * np.diag(np.diagonal(information)), gradient)
        step *= min(1.0, _STEP / np.abs(step).max())
        there, then = at(x + step)
        if not there >= value:
            damping = max(1e-2, 10.0 * damping)
            if float(gradient @ step) < _END:
                break
            continue
        risen, x, value, now = there - value, x + step, there, then
        damping *= 0.1
        if risen < _END:
            break
    return Scored(noises, x, np.linalg.inv(_slopes(noises, now, x)[1]), now)


def _slopes(noises: Noises, now: Likelihood, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return gradient (p) and information (p, p) by the free logarithms, what is believed in."""
    return (now.gradient - (x - noises.start) / _BELIEVED ** 2,
            now.information + np.eye(len(x)) / _BELIEVED ** 2)
