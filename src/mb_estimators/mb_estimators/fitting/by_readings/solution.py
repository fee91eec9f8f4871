"""The most likely numbers and noises: a few passes of a filter, each along what the last found."""

from dataclasses import dataclass, replace

import numpy as np

from mb_estimators.filter import DivergenceError
from mb_estimators.fitting.by_readings.frozen import FrozenSystem, likelihood
from mb_estimators.fitting.by_readings.noises import Noises
from mb_estimators.fitting.by_readings.problem import Nominal, ReadingProblem
from mb_estimators.fitting.by_readings.scoring import Scored, most_likely
from mb_model.arrays import FloatArray

_NEAR = 0.05            # of a deviation: a change that is none
_REACH = 1.0            # of a number in a pass, a share
_NARROW = 0.1           # deviations with which a path begins, beside what is known of its start
_BACK = 6               # times half the way back


@dataclass(frozen=True)
class Solution:
    """What passes have come to.

    nominal: along which the last one went; system: of it; scored: the noises in it; numbers:
    path -> value, shift and covariance of them as the filter counts them (p), (p, p); passes: of
    the filter over all recordings; settled: whether the last one has changed nothing; notes.
    """

    nominal: Nominal
    system: FrozenSystem
    scored: Scored
    numbers: dict[str, float]
    covariance: FloatArray
    passes: int
    settled: bool


def solve(problem: ReadingProblem, noises: Noises, most: int, start: FloatArray | None = None,
          before: Solution | None = None) -> Solution:
    """Return the Solution of at most so many passes; start (p): logarithms of free noises.

    before: with other noises, where a problem that resumes begins.
    Raises DivergenceError if the filter has no first path.
    """
    x = noises.start if start is None else start
    nominal, passes, last = problem.first(noises.at(x)), 0, None
    if before is not None and problem.resumes:
        nominal = replace(before.nominal, noises=noises.at(x))
    while True:
        system, nominal, tried = _path(problem, nominal, None if last is None else last.nominal)
        passes += tried
        scored = most_likely(system, noises, system.all_counted, x)
        following = _next(problem, system, scored, nominal)
        settled = last is not None and _is_near(scored, x, problem, nominal, following)
        x, span = scored.logarithms, system.shared
        last = Solution(nominal, system, scored, following.numbers,
                        scored.likelihood.start_covariance[np.ix_(span, span)], passes, settled)
        if settled or passes >= most:
            return last
        nominal = following


def _path(problem: ReadingProblem, wanted: Nominal,
          before: Nominal | None) -> tuple[FrozenSystem, Nominal, int]:
    """Return the system along what is wanted, or between there and before if a filter diverges."""
    for tried in range(1, _BACK + 1):
        try:
            return problem.system(wanted), wanted, tried
        except DivergenceError:
            if tried == _BACK:
                raise
        wanted = (replace(wanted, noises=wanted.noises * np.r_[
            np.full(problem.densities, 10.0), np.ones(len(wanted.noises) - problem.densities)])
            if before is None else _between(wanted, before))
    raise AssertionError('a path or an error')


def _between(wanted: Nominal, before: Nominal) -> Nominal:
    """Return what is halfway back."""
    return replace(
        before, noises=np.sqrt(wanted.noises * before.noises),
        numbers={name: 0.5 * (value + before.numbers[name])
                 for name, value in wanted.numbers.items()})


def _next(problem: ReadingProblem, system: FrozenSystem, scored: Scored,
          nominal: Nominal) -> Nominal:
    """Return the Nominal of the most likely numbers, noises and starts."""
    now, g, span = scored.likelihood, problem.mechanism.g, system.shared
    numbers, deviations = dict(nominal.numbers), nominal.deviations
    if problem.names:
        parameters = problem.parameters(nominal.numbers)
        step = np.clip(now.start[span], -_REACH, _REACH)
        values = parameters.values_of(step)
        numbers = dict(zip(problem.names, values.tolist(), strict=True))
        own = np.sqrt(np.diagonal(now.start_covariance)[span])
        scale = parameters.rates() / problem.parameters(numbers).rates()
        deviations = np.clip(_NARROW * own * scale, 1e-9, problem.widest)
    starts, widths = list(nominal.starts), list(nominal.widths)
    if not problem.turns:
        for k, (mean, covariance) in enumerate(_starts(system, scored)):
            begin = problem.start if starts[k] is None else starts[k]
            starts[k] = begin + mean[:2 * g]
            widths[k] = _NARROW ** 2 * covariance[:2 * g, :2 * g]
    return Nominal(scored.values, numbers, tuple(starts), tuple(widths), deviations)


def _starts(system: FrozenSystem, scored: Scored) -> list[tuple[FloatArray, FloatArray]]:
    """Return mean (l) and covariance (l, l) of the errors at the start of each recording."""
    known, span = scored.likelihood, system.shared
    starts = [(known.start, known.start_covariance)]
    for part in system.parts[1:]:
        mean, covariance = part.mean.copy(), part.covariance.copy()
        mean[span] = known.start[span]
        covariance[np.ix_(span, span)] = known.start_covariance[np.ix_(span, span)]
        alone = FrozenSystem((replace(part, mean=mean, covariance=covariance),), system.owner, span)
        own = likelihood(alone, scored.values, scored.noises.ties[:, :0], alone.all_counted)
        starts.append((own.start, own.start_covariance))
    return starts


def _is_near(scored: Scored, x: FloatArray, problem: ReadingProblem, nominal: Nominal,
             following: Nominal) -> bool:
    """Return whether a pass has changed no noise and no number by more than it is uncertain."""
    moved = np.abs(scored.logarithms - x) / scored.deviations
    changed = [0.0]
    if problem.names:
        span = -len(problem.names)
        own = np.sqrt(np.diagonal(scored.likelihood.start_covariance)[span:])
        changed = np.abs(scored.likelihood.start[span:]) / own
    return bool(max(moved.max(initial=0.0), np.max(changed)) < _NEAR)
