"""Many runs of an experiment with different noise, in parallel."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mb_estimators.experiment import Experiment
from mb_estimators.filter import DivergenceError
from mb_estimators.recording.result import Result

_CHUNKS = 8            # per process: few enough to send the experiment, enough to share the work


def rmse(result: Result) -> dict[str, list[float]]:
    """Return the root mean square errors of a Result by name, each one per degree of freedom."""
    return {name: getattr(result, name) for name in (
        'position_rmse', 'position_rmse_after_2s', 'velocity_rmse', 'acceleration_rmse')}


def monte_carlo(experiment: Experiment, filter: str, seeds: Iterable[int],
                figures: Callable[[Result], Mapping[str, ArrayLike]] = rmse,
                processes: int | None = None, **settings: Any) -> dict[str, NDArray[Any]]:
    """Run a filter once for every seed; return {name: array (seeds, ...)} of the figures.

    figures: a function of a module, from a Result to numbers or arrays by name; processes: how many
    (default: one for each core; 1: this one); settings: of the filter.  The array `diverged`
    (seeds) marks the seeds with which the filter diverged; their figures are NaN.
    Raises DivergenceError if it did so with every seed.
    """
    seeds = list(seeds)
    processes = min(processes or len(os.sched_getaffinity(0)), len(seeds))
    run = partial(_figures_of, experiment, filter, figures, settings)
    if processes <= 1:
        rows = [run(seed) for seed in seeds]
    else:
        with ProcessPoolExecutor(processes) as pool:
            rows = list(pool.map(run, seeds, chunksize=-(-len(seeds) // (_CHUNKS * processes))))
    return _stacked(rows, filter)


def _figures_of(experiment, filter, figures, settings, seed):
    """Return the figures of one run, None if the filter diverges."""
    try:
        return figures(experiment.run(filter, seed, **settings))
    except DivergenceError:
        return None


def _stacked(rows, filter):
    """Return the arrays of monte_carlo."""
    diverged = np.array([row is None for row in rows])
    if diverged.all():
        raise DivergenceError(f'{filter}: diverged with every seed')
    first = next(row for row in rows if row is not None)
    nothing = {name: np.full(np.shape(value), np.nan) for name, value in first.items()}
    return {name: np.array([(row or nothing)[name] for row in rows]) for name in first} | {
        'diverged': diverged}
