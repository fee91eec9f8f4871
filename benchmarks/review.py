"""The benchmark of Rodriguez et al. 2023, Sec. 12, and their Table 1.

Four-bar linkage at 200 Hz for 10 s, gravity 1 m/s^2 and crank pi/16 wrong, one sensor at a time,
the published tuning, mean over noise seeds.  Table 1: readings come at all steps or at every
third, on our five-bar linkage, as theirs is not described.  Beside them the published figures.
It takes minutes: `make bench-review`.  Writes review.md and review.png too.  See also five_bar.
"""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from math import pi

import numpy as np

from benchmarks.figures import Figure
from benchmarks.filter_step import whole_step
from benchmarks.review_report import write_picture, write_tables
from benchmarks.review_tuning import PUBLISHED, TUNING
from benchmarks.stopwatch import times_per_call
from mb_estimators import (
    DivergenceError,
    Experiment,
    available_filters,
    make_filter,
    monte_carlo,
)
from mb_model import load_mechanism
from mb_sensors import sensors_of

SEEDS = range(20)
ERRORS = {'gravity': -1.0, 'z0': pi / 16}
NAMES = ('position_rmse', 'position_rmse_after_2s', 'velocity_rmse', 'acceleration_rmse')
UNITS = ('rad', 'rad', 'rad/s', 'rad/s^2')
FOUR_BAR_SENSORS = ('crank_encoder', 'crank_gyro', 'coupler_gyro')
RATE_FILTERS = ('cekf', 'ukf', 'ssukf', 'ukf_acceleration', 'ssukf_acceleration')
SIMPLE = ('dekf', 'sckf', 'diekf_pm', 'error_ekf')       # keep a position error with a crank gyro
LOST = 0.9 * pi / 16                                     # what that is at least [rad]
FOUND = 0.1 * pi / 16                                    # and what is left of one at most


@dataclass(frozen=True)
class Case:
    """A filter with a set of sensors on a mechanism."""

    mechanism: str
    filter: str
    sensors: str
    dt: float = 5e-3
    duration: float = 10.0
    settings: dict = field(default_factory=dict)
    overrides: dict = field(default_factory=dict)        # of the mechanism file

    def measure(self):
        """Return the figures of all seeds (seeds, NAMES), mean over degrees of freedom.

        Those of a seed with which the filter diverges are infinite.
        """
        mechanism = load_mechanism(self.mechanism).replace(**self.overrides)
        experiment = Experiment(mechanism, [self.sensors], ERRORS, self.duration, self.dt)
        try:
            runs = monte_carlo(experiment, self.filter, SEEDS, processes=1, **self.settings)
        except DivergenceError:
            return np.full((len(SEEDS), len(NAMES)), np.inf)
        means = np.stack([runs[name].mean(axis=1) for name in NAMES], axis=1)
        return np.where(runs['diverged'][:, np.newaxis], np.inf, means)


def measure():
    """Return one figure for each case and quantity; write tables and picture beside them."""
    cases = four_bar_cases() + rate_cases()
    with ProcessPoolExecutor() as pool:
        rows = list(pool.map(Case.measure, cases))
    times = step_times([name for name in PUBLISHED if name in available_filters()])
    results = list(zip(cases, rows, strict=True))
    write_tables(results, times, NAMES)
    write_picture([r for r in results if r[0].mechanism == 'four_bar'], times, NAMES, UNITS)
    return [figure for case, row in results for figure in figures(case, row)] + [
        Figure(f'{name}, predict and correct', 1e6 * time, 'us') for name, time in times.items()]


def four_bar_cases():
    """The ten filters of the review, as far as they are there, and three sensors."""
    return [Case('four_bar', name, sensor, settings=TUNING.get(name, {}))
            for name, sensor in product(PUBLISHED, FOUR_BAR_SENSORS) if name in available_filters()]


def rate_cases():
    """Steps of 2 ms, readings of both cranks every 2 ms or every 6 ms."""
    return [
        Case('five_bar', name, 'crank_encoders', dt=2e-3, duration=5.0, overrides={'sensors': {
            sensor: {'sigma': 1e-3, 'rate': 1.0 / period}
            for sensor in ('left_crank_encoder', 'right_crank_encoder')}})
        for name, period in product(RATE_FILTERS, (2e-3, 6e-3))]


def figures(case, rows):
    """Return the Figures of a case, beside the published ones."""
    published = (PUBLISHED[case.filter].get(case.sensors) if case.mechanism == 'four_bar'
                 else None) or (None,) * len(NAMES)
    label = f'{case.mechanism}, {case.filter}, {case.sensors}'
    if case.overrides:
        rate = next(iter(case.overrides['sensors'].values()))['rate']
        label += f', {1e3 / rate:.0f} ms'
    return [Figure(f'{label}: {name}', value, unit, target(case, name),
                   peer=None if known is None else 'review', peer_value=known)
            for name, value, unit, known in zip(NAMES, rows.mean(axis=0), UNITS, published,
                                                strict=True)]


def target(case, name):
    """Return what a figure has to be, None if it is only told."""
    if case.mechanism != 'four_bar':
        return None
    if case.sensors == 'crank_encoder':
        if case.filter == 'cekf':
            return 0.018 if name == 'position_rmse_after_2s' else None
        return (0.0045, 0.0062) if name == 'position_rmse' else None
    if name != 'position_rmse_after_2s':
        return None
    if case.sensors == 'crank_gyro' and case.filter in SIMPLE:
        return (LOST, 10.0)
    return FOUND


def step_times(names):
    """Return the time of a step of each filter with the crank encoder [s]."""
    mechanism = load_mechanism('four_bar')
    sensors = sensors_of(mechanism, ['crank_encoder'])
    return times_per_call({name: whole_step(make_filter(name, mechanism, sensors, 5e-3),
                                            mechanism.z0) for name in names}, calls=500, rounds=5)
