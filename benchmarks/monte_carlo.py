"""A thousand runs of 10 s with different noise on two cores, and what one of their steps costs."""

import os
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter

import numpy as np

from benchmarks.cases import wrong_gravity
from benchmarks.figures import Figure
from mb_estimators import monte_carlo

RUNS = 1000
LONGEST = 60.0                          # s, on two cores


def measure():
    """Return the time of all runs of error_ekf with the encoder, and the errors they state."""
    cores = min(2, len(os.sched_getaffinity(0)))
    start, before = perf_counter(), getrusage(RUSAGE_CHILDREN).ru_utime
    experiment = wrong_gravity('crank_encoder')
    runs = monte_carlo(experiment, 'error_ekf', range(RUNS), processes=cores)
    elapsed, busy = perf_counter() - start, getrusage(RUSAGE_CHILDREN).ru_utime - before
    position = runs['position_rmse_after_2s'][:, 0]
    steps = RUNS * len(experiment.t)
    return [
        Figure(f'{RUNS} runs of 10 s on {cores} cores', elapsed, 's', LONGEST),
        Figure('processor time of one step, all included', 1e6 * busy / steps, 'us'),
        Figure('position RMSE after 2 s, mean', position.mean(), 'rad', (0.0045, 0.0062)),
        Figure('standard error of that mean', position.std(ddof=1) / np.sqrt(RUNS), 'rad')]
