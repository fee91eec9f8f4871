"""Tuning: the settings of a filter that suit recordings best."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import differential_evolution, minimize
from scipy.stats import qmc

from mb_estimators.recording.recording import Recording
from mb_estimators.tuning.task import Dimension, Task
from mb_estimators.tuning.workers import workers
from mb_model import Mechanism, load_mechanism
from mb_model.arrays import FloatArray
from mb_sensors import Sensor, sensors_of

_PER_DIMENSION = 6      # settings that are tried at once, at least
# Greedier than scipy's defaults: losses are smooth and have few minima.
_EVOLUTION = {'mutation': (0.3, 0.7), 'recombination': 0.9}
_SHARE = 0.7            # of the trials, for evolution
_NEAR = 0.02            # of a dimension: the first simplex
_SAME_VALUE = 1e-3      # of a dimension: equally good values


class Search:
    """Looks for values of Dimensions with a small loss, and keeps the best so far.

    best, loss: these; trials: how many values were tried; converged, interrupted: how it ended.
    """

    def __init__(self, dimensions: Sequence[Dimension], values: dict[str, Any],
                 losses: Sequence[float], progress: Any = None) -> None:
        """Start from values {name: value} and their losses on all recordings; see tune."""
        self._dimensions, self._progress = dimensions, progress
        self._bounds = np.array([d.bounds for d in dimensions])
        self._recordings = len(losses)
        self.best, self.loss = values, float(np.mean(losses))
        self.trials = 0
        self.converged = self.interrupted = False
        self._tried: set[Any] = set()

    def run(self, evaluate: Callable[..., Any], workers: int, trials: int, seed: int,
            same: float) -> None:
        """Search with a map of (values, recording) that `workers` share; see tuning.workers.

        same: standard deviation, or difference, of losses that are as good as each other.
        """
        try:
            together = self._evolve(evaluate, workers, trials, seed, same)
            whole = all(d.steps for d in self._dimensions)
            self.converged = together if whole else self._descend(evaluate, trials, same)
        except KeyboardInterrupt:
            self.interrupted = True

    def _evolve(self, evaluate, workers, trials, seed, same):
        """Search everywhere, a population at a time (Storn and Price 1997).

        Returns whether the population has come together, or has been everywhere.
        """
        count = max(_PER_DIMENSION * len(self._bounds), -(-workers // self._recordings), 5)
        spread = qmc.Sobol(len(self._bounds), rng=seed).random_base2(count.bit_length())[:count]
        start = qmc.scale(spread, *self._bounds.T)
        start[0] = self._coordinates(self.best)
        search = differential_evolution(
            lambda x: self._losses(evaluate, x.T), self._bounds, vectorized=True,
            updating='deferred', init=start, maxiter=max(1, int(_SHARE * trials) // count - 1),
            tol=0.0, atol=10.0 * same, integrality=[d.steps for d in self._dimensions],
            polish=False, rng=seed, **_EVOLUTION)
        low, high = self._bounds.T
        everywhere = np.prod(high - low + 1.0) if all(d.steps for d in self._dimensions) else np.inf
        return bool(search.success) or len(self._tried) == everywhere

    def _descend(self, evaluate, trials, same):
        """Go down from the best (Nelder and Mead 1965), over the numbers that are not whole.

        Returns whether nothing better is near.
        """
        best = self._coordinates(self.best)
        free = np.flatnonzero([not d.steps for d in self._dimensions])
        low, high = self._bounds[free].T
        size = high - low
        corners = np.vstack([best[free], best[free] + _NEAR * np.diag(size)])
        # Mirrored at the end of the range, where the corner would lie outside.
        corners = np.where(corners > high, 2.0 * best[free] - corners, corners)
        loss = partial(self._loss_at, evaluate, best, free, low, size)
        search = minimize(
            loss, (best[free] - low) / size, method='Nelder-Mead', bounds=[(0.0, 1.0)] * free.size,
            options={'initial_simplex': (corners - low) / size, 'xatol': _SAME_VALUE,
                     'fatol': same, 'maxfev': max(1, trials - self.trials)})
        return bool(search.success)

    def _loss_at(self, evaluate, best, free, low, size, x):
        """Return the loss where the free coordinates are x, as parts of their ranges."""
        point = best.copy()
        point[free] = low + x * size
        return self._losses(evaluate, [point])[0]

    def _coordinates(self, values: Any) -> FloatArray:
        return np.array([d.coordinate(values[d.name]) for d in self._dimensions])

    def _losses(self, evaluate, points):
        """Return the losses (k) at points of coordinates (k, dimensions), and note them."""
        tried = [{d.name: d.value(x) for d, x in zip(self._dimensions, point, strict=True)}
                 for point in points]
        evaluated = iter(evaluate([(values, index) for values in tried
                                   for index in range(self._recordings)]))
        losses = np.empty(len(tried))
        for k, values in enumerate(tried):
            losses[k] = np.mean([next(evaluated) for _ in range(self._recordings)])
            self._tried.add(tuple(values.values()))
            self.trials += 1
            if losses[k] < self.loss:
                self.best, self.loss = values, float(losses[k])
            if self._progress is not None:
                self._progress(self.trials, self.best, self.loss)
        return losses


_SAME_ERROR, _SAME_LIKELIHOOD = 3e-4, 3e-5      # part of an error; absolute, per reading


@dataclass(frozen=True)
class Tuned:
    """The best values of a search.

    values, before: by name, the tuned and the original ones; loss, loss_before: of them,
    see Task.loss, mean over recordings; trials: how many were tried; converged: whether nothing
    better is near; interrupted: by the user, before that; at_ends: names of values at an end of
    their range, outside of which there may be better ones.
    """

    values: dict[str, Any]
    before: dict[str, Any]
    loss: float
    loss_before: float
    trials: int
    converged: bool
    interrupted: bool
    at_ends: tuple[str, ...]


def tune(filter: str, mechanism: Mechanism | str, sensors: Iterable[str | Sensor],
         recordings: Iterable[Recording], vary: Mapping[str, Any], dt: float, *,
         criterion: str = 'likelihood', trials: int = 300, seed: int = 0,
         processes: int | None = None, scheduler: str | None = None,
         progress: Callable[[int, dict[str, Any], float], object] | None = None,
         **settings: Any) -> Tuned:
    """Return the Tuned settings of a filter with which a criterion is best over recordings.

    filter, mechanism, sensors, dt, settings: as of make_filter; recordings: Recordings; vary:
    {setting: (low, high), choices or None}, see tuning.task, `<sensor>.<setting>` for the
    noise that is expected of a sensor; criterion: 'likelihood' of the readings, greatest, or an
    error against the truth, smallest, see tuning.task; trials: how many at most, about; seed: of
    the search; processes, scheduler: see tuning.workers; progress: called with (trials, best
    values, their loss) after each trial.

    The search needs no derivatives, survives settings with which a filter diverges, knows texts and
    whole numbers as well as numbers, and tries many settings at once.  It begins with the values
    before, so nothing worse is returned.  An interrupt ends it with the best so far.
    Raises ValueError in the user's words, DivergenceError if the filter diverges with the values
    before.
    """
    if isinstance(mechanism, str):
        mechanism = load_mechanism(mechanism)
    task = Task(filter, mechanism, tuple(sensors_of(mechanism, sensors)), dt, tuple(recordings),
                criterion, settings)
    dimensions = task.dimensions(vary)
    if not dimensions:
        raise ValueError('vary: at least one setting to tune is needed')
    before = {d.name: task.value(d.name) for d in dimensions}
    losses = [task.checked_loss(before, index) for index in range(len(task.recordings))]
    search = Search(dimensions, before, losses, progress)
    same = _SAME_LIKELIHOOD if criterion == 'likelihood' else _SAME_ERROR * float(np.mean(losses))
    with workers(task, processes, scheduler) as (evaluate, count):
        search.run(evaluate, count, trials, seed, same)
    return Tuned(search.best, before, search.loss, float(np.mean(losses)), search.trials,
                 search.converged, search.interrupted,
                 tuple(d.name for d in dimensions if d.ends_at(search.best[d.name])))
