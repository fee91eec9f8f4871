"""Sensors slower than the model: Table 1 of Rodriguez et al. 2023, Sec. 4.3.

Steps of 2 ms, encoders with a noise of 1 mrad read at every step or at every third, on our five-bar
linkage, as the text does not describe the source's.  After 2 s.  The sigma points of the
source are accelerations; its continuous filter is the most accurate of all at 2 ms, and the least
at 6 ms.  Eqs. (16) and (24) have a reading at every instant, and the text does not say what takes
its place between readings: beside nothing, the last one is held.
"""

from itertools import product

import numpy as np

from benchmarks.cases import Case, errors_of
from benchmarks.figures import Figure
from benchmarks.filter_speed import whole_step
from benchmarks.stopwatch import times_per_call
from mb_estimators import Experiment, make_filter
from mb_model import load_mechanism
from mb_sensors import sensors_of

TUNING = {'acceleration_psd': 0.54978}  # as in mb_bringup's config of this linkage
ACCELERATION = {**TUNING, 'acceleration_variance': 3e4}   # of 1e3 to 1e7 the best, seeds 100, 101
PUBLISHED = {'acceleration_psd': 55.0, 'as_published': True}   # of .55 to 5.5e5 the best, seed 100
FILTERS = {'cekf': ('cekf', TUNING), 'cekf, as published': ('cekf', PUBLISHED),
           'ukf': ('ukf', TUNING), 'ssukf': ('ssukf', TUNING),
           'ssukf, RK2': ('ssukf', {**TUNING, 'integrator': 'rk2'}),
           'ukf_acceleration': ('ukf_acceleration', ACCELERATION),
           'ssukf_acceleration': ('ssukf_acceleration', ACCELERATION),
           'ssukf_acceleration, RK2': ('ssukf_acceleration', {**ACCELERATION,
                                                              'integrator': 'rk2'})}
PERIODS = (2e-3, 6e-3)                  # s, of the readings
HELD = ', held'
STEP, DURATION = 2e-3, 5.0              # s
SIGMA = 1e-3                            # rad
SENSORS = ('left_crank_encoder', 'right_crank_encoder')
AS_GOOD = 1.05                          # cekf's error as a multiple of ukf's, at most


class HeldReadings(Experiment):
    """An Experiment whose filters read the last reading again until the next one.

    Innovations are of new readings alone, as without holding.
    """

    def run(self, filter, seed, **settings):
        """Return what Experiment.run does."""
        result = super().run(filter, seed, **settings)
        result.innovation[np.isnan(super().readings(seed))] = np.nan
        return result

    def readings(self, seed):
        """Return what Experiment.readings does, without gaps from the first reading on."""
        readings = super().readings(seed)
        there = ~np.isnan(readings)
        last = np.maximum.accumulate(np.where(there, np.arange(len(readings))[:, None], 0))
        return np.take_along_axis(readings, last, axis=0)


def measure():
    """Return innovations, position errors and times of all filters at both rates."""
    labels = [*product(FILTERS, PERIODS, [Experiment]), *(
        (name, PERIODS[1], HeldReadings) for name in FILTERS)]
    found = dict(zip(labels, errors_of([case(*label) for label in labels]), strict=True))
    times = step_times()
    figures = []
    position = {label: errors['position_rmse_after_2s'].mean() for label, errors in found.items()}
    for (name, period, experiment), errors in found.items():
        label = (f'{name}, readings every {1e3 * period:.0f} ms'
                 f'{HELD if experiment is HeldReadings else ""}')
        figures += [
            Figure(f'{label}: innovation', errors['innovation'].mean(), 'rad',
                   peer='noise', peer_value=SIGMA),
            Figure(f'{label}: position', errors['position_rmse_after_2s'].mean(), 'rad',
                   peer='noise', peer_value=SIGMA)]
    figures += [Figure(f'cekf, readings every {1e3 * period:.0f} ms: position, share of ukf',
                       position['cekf', period, Experiment] / position['ukf', period, Experiment],
                       '', AS_GOOD)
                for period in PERIODS]
    innovations = [found[name, PERIODS[0], Experiment]['innovation'].mean()
                   for name in ('cekf', 'ssukf_acceleration')]
    figures.append(Figure('cekf, readings every 2 ms: innovation, share of ssukf_acceleration',
                          innovations[0] / innovations[1], '', 1.0))
    return figures + [Figure(f'{name}: time of a step, share of 2 ms', time / STEP, '', 1.0)
                      for name, time in times.items()]


def case(name, period, experiment):
    """Return the Case of a filter, a period of the readings and the Experiment that takes them."""
    plugin, settings = FILTERS[name]
    overrides = {'sensors': {sensor: {'sigma': SIGMA, 'rate': 1.0 / period} for sensor in SENSORS}}
    return Case('five_bar', plugin, 'crank_encoders', STEP, DURATION, settings, overrides,
                experiment=experiment)


def step_times():
    """Return the time of a step of each filter with both readings [s]."""
    mechanism = load_mechanism('five_bar')
    sensors = sensors_of(mechanism, ['crank_encoders'])
    return times_per_call(
        {name: whole_step(make_filter(plugin, mechanism, sensors, STEP, **settings), mechanism.z0)
         for name, (plugin, settings) in FILTERS.items()}, calls=500, rounds=5)
