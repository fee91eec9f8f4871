"""Tuning: the settings of a filter that suit recordings best."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_estimators.recording.recording import Recording
from mb_estimators.tuning.search import Search
from mb_estimators.tuning.task import Task
from mb_estimators.tuning.workers import workers
from mb_model import Mechanism, load_mechanism
from mb_sensors import Sensor, sensors_of

_SAME_ERROR, _SAME_LIKELIHOOD = 3e-4, 3e-5      # part of an error; absolute, per reading


@dataclass(frozen=True)
class Tuned:
    """The best values found.

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
    {setting: (low, high), choices or None}, see tuning.dimension, `<sensor>.<setting>` for the
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
    losses = [task.checked_loss(before, place) for place in range(len(task.recordings))]
    search = Search(dimensions, before, losses, progress)
    same = _SAME_LIKELIHOOD if criterion == 'likelihood' else _SAME_ERROR * np.mean(losses)
    with workers(task, processes, scheduler) as (evaluate, count):
        search.run(evaluate, count, trials, seed, same)
    return Tuned(search.best, before, search.loss, float(np.mean(losses)), search.trials,
                 search.converged, search.interrupted,
                 tuple(d.name for d in dimensions if d.ends_at(search.best[d.name])))
