"""Matrix R beside the penalty method: the experiment of Rodriguez et al. 2023, Fig. 1 and Sec. 3.

Four-bar linkage with a spring and a damper across, the distance from A to point 2 read at 200 Hz
for 10 s; gravity of the model is 1 m/s^2 too small.  The filters are the continuous ones as
published.  The text gives results in words alone: both observe, matrix R is more efficient, the
penalty method does not hold the constraints, and a larger penalty factor is worthless.
"""

from itertools import product
from math import pi
from time import process_time

import numpy as np

from benchmarks.cases import DURATION, SEEDS, START_ERROR, STEP, over_cases
from benchmarks.figures import Figure
from benchmarks.filter_speed import whole_step
from benchmarks.stopwatch import times_per_call
from mb_estimators import DivergenceError, Experiment, ImpossibleReadingError, make_filter

MECHANISM, SENSOR = 'four_bar_spring_damper', 'distance_across'
HEAVIEST = 8.0                                  # kg: `penalty` counts in masses of that body
PENALTIES = (1e6, 1e7, 1e8, 1e9, 1e10)          # alpha: the paper's are commonly 1e7 to 1e10
RODS = (((0.0, 0.0), 'P1', 2.0), ('P1', 'P2', 8.0), ('P2', (10.0, 0.0), 5.0))       # m
COMMON = {'as_published': True, 'gate': 0.0, 'acceleration_psd': 0.73303}
MATRIX_R, BY_PENALTY = 'matrix R', {alpha: f'penalty, alpha {alpha:.0e}' for alpha in PENALTIES}
FILTERS = {MATRIX_R: ('cekf', COMMON)} | {
    name: ('cekf_penalty', COMMON | {'penalty': alpha / HEAVIEST, 'natural_frequency': 10.0})
    for alpha, name in BY_PENALTY.items()}
STARTS = {'': {'gravity': -1.0}, ', start pi/16 wrong': {'gravity': -1.0, 'z0': START_ERROR}}
QUANTITIES = {'distance': 'm', 'crank': 'rad', 'rods, largest error': 'm',
              'readings that no position fits': ''}
POINTS = {'P1': slice(0, 2), 'P2': slice(2, 4)}


def measure():
    """Return errors of distance, crank angle and rods of each filter, and times of a step."""
    cases = [(name, start, seed) for name, start, seed in product(FILTERS, STARTS, SEEDS)]
    found = over_cases(errors, cases)
    figures = []
    for name, start in product(FILTERS, STARTS):
        rows = np.array([found[name, start, seed] for seed in SEEDS])
        kept = rows[np.isfinite(rows).all(axis=1)]
        figures.append(Figure(f'{name}{start}: gave up, of {len(SEEDS)} seeds',
                              len(rows) - len(kept), ''))
        figures += [Figure(f'{name}{start}: {quantity}', value, unit) for (quantity, unit), value
                    in zip(QUANTITIES.items(), kept.mean(axis=0), strict=True) if len(kept)]
    return figures + [Figure(f'{name}: predict and correct', 1e6 * time, 'us')
                      for name, time in _times().items()]


def _experiment(start, duration=DURATION):
    return Experiment(MECHANISM, [SENSOR], STARTS[start], duration, STEP)


def _filter(name, experiment):
    plugin, settings = FILTERS[name]
    return make_filter(plugin, experiment.mechanism, experiment.sensors, STEP, **settings)


def errors(name, start, seed, duration=DURATION):
    """Return QUANTITIES of a run, errors as root mean squares; infinite where it gives up."""
    experiment = _experiment(start, duration)
    filter_ = _filter(name, experiment)
    estimated, refused = [], 0
    try:
        for k, reading in enumerate(experiment.readings(seed)):
            if k > 0:
                filter_.predict(STEP)
            try:
                filter_.correct(reading)
            except ImpossibleReadingError:
                refused += 1
            estimated.append(filter_.estimate.q.copy())
    except DivergenceError:
        return np.full(len(QUANTITIES), np.inf)
    q, truth = np.array(estimated), experiment.truth.q
    across = np.linalg.norm(q[:, 2:4], axis=1) - np.linalg.norm(truth[:, 2:4], axis=1)
    torn = [np.abs(np.linalg.norm(_place(q, b) - _place(q, a), axis=1) - length).max()
            for a, b, length in RODS]
    return np.array([_rms(across), _rms((q[:, 4] - truth[:, 4] + pi) % (2.0 * pi) - pi), max(torn),
                     refused])


def _place(q, end):
    """Return where a point is, of q (k, n), or the fixed place that it is."""
    return q[:, POINTS[end]] if isinstance(end, str) else np.array([end])


def _rms(errors):
    return np.sqrt(np.mean(errors ** 2))


def _times():
    """Return processor times of a step of matrix R and of the penalty method [s]."""
    experiment = _experiment('')
    reading = experiment.readings(0)[0]
    names = MATRIX_R, BY_PENALTY[PENALTIES[1]]
    return times_per_call({name: whole_step(_filter(name, experiment), reading) for name in names},
                          calls=200, rounds=5, clock=process_time)
