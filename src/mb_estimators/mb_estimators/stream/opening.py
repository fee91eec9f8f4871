"""First readings that are confirmed, or denied, by later ones."""

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from mb_estimators.filter import Estimate, Filter, Innovation
from mb_estimators.state import copied
from mb_estimators.stream.run_watches import Readings, Report, RunWatches
from mb_estimators.stream.stream_state import Opening, RunState, StreamState
from mb_estimators.timeline import seconds
from mb_estimators.watches.lost import LostWatch


def require_possible(filter_: Filter, initial: tuple[Any, ...], dt: float, lost: LostWatch) -> None:
    """Raise ValueError unless a filter can start at (z, zd, covariance) and continue.

    It must know where it is then, and where after a step of the model by dt [s], see LostWatch, and
    not move by more than the room of the mechanism in that step.  The filter is not put back.
    """
    try:
        with np.errstate(all='ignore'):
            filter_.reset(*initial)
            before = _require_sensible(filter_.estimate, lost)
            filter_.predict(dt)
            after = _require_sensible(filter_.estimate, lost)
    except ArithmeticError as error:
        raise ValueError(f'the filter cannot go on from there: {error}') from error
    lost.require_near(before.z, after.z)


def _require_sensible(estimate: Estimate, lost: LostWatch) -> Estimate:
    """Return an Estimate; raises ValueError if it is not finite, or lost."""
    if not all(np.isfinite(part).all() for part in estimate[:7]):
        raise ValueError('the estimate would not be finite')
    problem = lost.far_off(estimate)
    if problem:
        raise ValueError(f'the estimate would be lost: {problem}')
    return estimate


_LONGEST = 10       # instants
_ENOUGH = 3         # readings that position, velocity and acceleration may fit, right or not
_ABSURD = 30.0      # deviations of a channel


class Opener:
    """Takes the first instants of a run, of which a wrong one would put the filter far off.

    No reading came before the first ones that could deny them.  Where a later one of the opening
    does not fit, or some of the first ones did not fit the start, another run begins there with the
    later one; if a next instant fits that run alone, it was the first readings that were wrong:
    they are left out, and the other run goes on.  While instants fit both, both go on: a wrong
    position and a velocity to the right one fit as well.
    """

    def __init__(self, watches: RunWatches, go_back: Callable[[RunState, RunState], None],
                 take: Callable[..., Innovation | None]) -> None:
        """Set up for RunWatches and functions of a FilterRun: go_back(run, saved) and take."""
        self._watches, self._go_back, self._take_in = watches, go_back, take

    def take(self, state: StreamState, stamp: int, readings: Readings,
             report: Report) -> Innovation | None:
        """Predict and correct as FilterRun does; return the Innovation, or None."""
        run, opening = state.run, state.run.opening
        if opening is None or not readings:
            return self._take_in(state, stamp, readings, report)
        run.opening = None
        if opening.start is None:
            opening.start = copied(run)
        problems: list[str] = []
        innovation = self._take_in(state, stamp, readings, problems.append)
        fits = self._fits(innovation)
        if opening.used and (opening.doubted or not fits or opening.other is not None):
            other = self._by_the_other(state, opening, stamp, readings, fits)
            if other is not None:
                report(f'{", ".join(sorted(opening.used))}: first readings, before '
                       f'{seconds(opening.since)}, are left out: later ones deny them')
                return other
        for problem in problems:
            report(problem)
        opening.doubted = not fits and not opening.instants
        opening.instants += 1
        confirmed = fits and all(opening.used.get(name, 0) >= _ENOUGH for name in readings)
        for name in readings if fits else self._used(readings, innovation):
            opening.used[name] = opening.used.get(name, 0) + 1
        if opening.instants < _LONGEST and not run.diverged and not (
                confirmed and opening.other is None):
            run.opening = opening
        return innovation

    def _by_the_other(self, state: StreamState, opening: Opening, stamp: int,
                      readings: Readings, fits: bool) -> Innovation | None:
        """Take the readings in the other run; go on with it, if it is right, by its Innovation.

        Otherwise return None, the run as it was; fits: whether the readings fit that.
        """
        run, main, begins = state.run, copied(state.run), opening.other is None
        self._go_back(run, opening.start if begins else opening.other)
        innovation = self._take_in(state, stamp, readings, lambda problem: None)
        if self._fits(innovation):
            if begins:
                opening.since = stamp
            if main.diverged or not (begins or fits):
                self._count(run, main, stamp)
                return innovation
            opening.other = copied(run)
        else:
            opening.other = None
        self._go_back(run, main)
        return None

    def _count(self, run: RunState, main: RunState, stamp: int) -> None:
        """Count the readings that the run had and the other one has not as left out."""
        for name, count in main.came.items():
            for _ in range(count - run.came.get(name, 0)):
                self._watches.leave_out(run, [name])
                run.trust.missed(stamp, name, 'has begun with readings that later ones deny')
            run.came[name] = count

    def _fits(self, innovation: Innovation | None) -> bool:
        """Return whether nothing in an Innovation is farther off than any noise may be."""
        if innovation is None or len(innovation.rejected):
            return False
        variances = innovation.covariance.diagonal()
        return bool(np.all(innovation.residual ** 2 <= _ABSURD ** 2 * variances))

    def _used(self, readings: Collection[str], innovation: Innovation | None) -> list[str]:
        """Return the names of the readings of which the filter has used any channel."""
        used = () if innovation is None else self._watches.channels.names(innovation.channels)
        return [name for name in used if name in readings]
