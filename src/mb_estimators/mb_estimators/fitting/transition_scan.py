"""Transition velocities of friction before a fit: the best of a scan, and which are not shown."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from mb_estimators.fitting.equations import Recordings
from mb_estimators.fitting.scaled_equations import Equations
from mb_estimators.fitting.transition_laws import TransitionLaw, laws_of
from mb_estimators.fitting.unknowns import Unknowns
from mb_model.arrays import BoolArray, FloatArray

_TRANSITIONS = 16           # that are tried
_ROUNDS = 2                 # of all: each depends on the others, and on what forces are weighed by
_WINDOWS = 600              # the slowest ones, and as many of the others
_LIKELY = 9.0               # above the least cost: within three deviations


@dataclass(frozen=True)
class Begin:
    """Values of unknowns by name from which a fit begins; open: path -> why it is not shown."""

    values: dict[str, float]
    open: dict[str, str]


def scanned(unknowns: Unknowns, recordings: Recordings) -> Begin:
    """Return where a fit of unknowns begins: costs have several valleys by transition velocities.

    Each is scanned with all other numbers solved for; its law's are not negative.
    """
    laws = laws_of(unknowns)
    x, left_open = unknowns.start.copy(), {}
    for _ in range(_ROUNDS if laws else 0):
        left_open = {}
        system = _System(unknowns, recordings, x)
        for law in laws:
            why = system.scan(law)
            if why:
                left_open[law.path] = why
        x = system.begin(laws)
    return Begin(dict(zip(unknowns.names, x.tolist(), strict=True)), left_open)


class _System:
    """Scaled linear equations at unknowns, which follow the transition velocities as these change.
    """

    def __init__(self, unknowns: Unknowns, recordings: Recordings, x: FloatArray) -> None:
        self._unknowns, self._recordings, self._x = unknowns, recordings, x.copy()
        equations = recordings.at(x)
        slopes = equations.slopes @ unknowns.slopes(x)
        left = equations.residual - slopes @ _solved(equations.scaled(slopes),
                                                     equations.scaled(equations.residual))
        whole = np.sqrt(np.mean((left / equations.deviations) ** 2, axis=0))
        self._equations = equations.weighed(np.array([np.ones(len(whole)),
                                                      np.maximum(whole, 1e-12)]))
        self._slopes, self._residual = slopes, equations.residual.copy()

    def scan(self, law: TransitionLaw) -> str:
        """Give a law the best transition velocity; return why it is as in the file, '' if not."""
        speed = self._recordings.means(law.speed)
        chosen = _slow_and_others(speed)
        part = self._equations[chosen]
        now = self._x[law.at]
        others = ~law.own
        others[law.at] = False
        base = part.scaled(self._slopes[chosen][:, :, others])
        size = np.linalg.norm(base, axis=0)
        basis, _ = np.linalg.qr(base[:, size > 0.0] / size[size > 0.0])
        at_now = self._terms(law, now)
        tried = np.unique(np.r_[law.first, now, np.geomspace(
            *np.maximum(np.quantile(speed, (0.001, 0.99)), 1e-12), _TRANSITIONS)])
        costs, inflations = [], []
        for transition in tried:
            change = self._terms(law, transition) - at_now
            columns, right = self._changed(law, change, chosen)
            columns, right = (part.scaled(one) for one in (columns, right))
            left = _unexplained(columns - basis @ (basis.T @ columns), right - basis @ (
                basis.T @ right))
            costs.append(float(left @ left))
            inflations.append(_inflation(left, part))
        best = int(np.argmin(costs))
        likely = np.array(costs) <= costs[best] * (1.0 + _LIKELY * inflations[best] / len(right))
        first = int(np.searchsorted(tried, law.first))
        why = _why_open(likely, best) if likely[first] else ''
        to = law.first if why else tried[best]
        self._move(law, self._terms(law, to) - at_now)
        self._x[law.at] = to
        return why

    def begin(self, laws: Sequence[TransitionLaw]) -> FloatArray:
        """Return the unknowns, numbers of the laws as they fit best."""
        x, own = self._x.copy(), np.any([law.own for law in laws], axis=0)
        free = np.ones(len(x), bool)
        free[[law.at for law in laws]] = False
        scaled = self._equations.scaled
        change = _solved(scaled(self._slopes[:, :, free]), scaled(self._residual))
        whole = np.zeros(len(x))
        whole[free] = change
        x[own] += whole[own]
        return np.maximum(x, self._unknowns.lower)

    def _terms(self, law: TransitionLaw, transition: float) -> FloatArray:
        return self._recordings.means(
            lambda forces, turned: law.values(forces, turned, transition))

    def _changed(self, law: TransitionLaw, change: FloatArray,
                 chosen: BoolArray) -> tuple[FloatArray, FloatArray]:
        """Return columns of the law's unknowns, and what they have to explain, with other terms."""
        change, by = change[chosen], law.by_unknown[:, law.own]
        columns = self._slopes[chosen][:, :, law.own] + change @ by
        right = self._residual[chosen] - change @ self._numbers(law)
        return columns, right + columns @ self._x[law.own]

    def _move(self, law: TransitionLaw, change: FloatArray) -> None:
        self._residual = self._residual - change @ self._numbers(law)
        self._slopes[:, :, law.own] += change @ law.by_unknown[:, law.own]

    def _numbers(self, law: TransitionLaw) -> FloatArray:
        return law.numbers + law.by_unknown @ (self._x - self._unknowns.start)


def _solved(slopes: FloatArray, right: FloatArray) -> FloatArray:
    """Return the least squares (p) of scaled slopes (k, p)."""
    size = np.linalg.norm(slopes, axis=0)
    size[size == 0.0] = 1.0
    return np.asarray(np.linalg.lstsq(slopes / size, right, rcond=1e-10)[0] / size, np.float64)


def _unexplained(columns: FloatArray, right: FloatArray) -> FloatArray:
    """Return what columns (k, c) times numbers that are not negative leave of right (k)."""
    if not columns.shape[1]:
        return right
    size = np.linalg.norm(columns, axis=0) + 1e-300
    return right - columns / size @ nnls(columns / size, right)[0]


def _inflation(left: FloatArray, equations: Equations) -> float:
    """Return how much larger the variance of sums of residuals is than of independent ones."""
    rows = left.reshape(len(equations), -1)
    sums = [np.bincount(equations.block, row) for row in rows.T]
    return max(float(np.sum(np.square(sums)) / max(float(np.sum(rows ** 2)), 1e-300)), 1.0)


def _slow_and_others(speed: FloatArray) -> BoolArray:
    """Return which windows (w) are used: the slowest, and some of the others."""
    chosen = np.zeros(len(speed), bool)
    chosen[np.argsort(speed)[:_WINDOWS]] = True
    chosen[::1 + len(speed) // _WINDOWS] = True
    return chosen


def _why_open(likely: BoolArray, best: int) -> str:
    """Return why a recording does not show a transition velocity, '' if it does."""
    if likely[:best].all():
        return 'no motion is so slow that it would show'
    return 'no motion is so fast that it would show' if likely[best:].all() else ''
