"""dekf_exponential and its like: on the stiff linkage, and where the review measures filters.

Stiff: the second example of Pyrhonen et al. 2023a, moved by scipy's DOP853, at 1, 5 and 10 ms; for
the filters gravity is 1 m/s^2 and the crank pi/16 wrong, so that the spring is bent by more, too.
Errors once settled.  Review: four-bar and five-bar linkage at 200 Hz, beside error_ekf.
"""

from dataclasses import replace
from functools import lru_cache
from itertools import product

import numpy as np

from benchmarks.cases import (
    DURATION as REVIEW_DURATION,
    QUANTITIES,
    SEEDS as REVIEW_SEEDS,
    START_ERROR,
    STEP as REVIEW_STEP,
    of_papers,
    over_cases,
    wrong_gravity,
)
from benchmarks.exponential import true_run
from benchmarks.figures import Figure
from mb_estimators import DivergenceError, make_filter, monte_carlo, observe, stamps_of
from mb_model import apply_model_errors, load_mechanism
from mb_sensors import RecordedSensor, sensors_of

STIFF, DURATION, SETTLED = 'four_bar_split', 5.0, 2.0          # s
STEPS = (1e-3, 5e-3, 1e-2)                                     # s
SEEDS = range(5)
ERRORS = {'gravity': -1.0, 'z0': [START_ERROR, 0.0]}
SENSORS = (('crank_encoder',), ('crank_encoder', 'crank_gyro'), ('crank_gyro',))
FILTERS = {'dekf_exponential': {}, 'error_ekf_fe': {}, 'error_ekf_ej': {}, 'error_ekf': {},
           'dekf': {}, 'dekf_exponential, order_1': {'exponential': 'order_1'},
           'dekf_exponential, order_2': {'exponential': 'order_2'},
           'dekf_exponential, order_3': {'exponential': 'order_3'},
           'dekf_exponential, order_4': {'exponential': 'order_4'}}
STABLE = ('dekf_exponential', 'error_ekf_fe')
WHITE = {'acceleration_psd': 0.54978}                          # of the five-bar linkage
REVIEW = (*product(['four_bar'], ['crank_encoder', 'crank_gyro', 'coupler_gyro']),
          *product(['five_bar'], ['crank_encoders', 'crank_gyros', 'coupler_gyros']))
AS_GOOD = 1.01                           # times the error of error_ekf: what seeds leave open


def measure():
    """Return the figures of the stiff linkage, then of the review's cases."""
    return stiff_figures() + review_figures()


def stiff_figures():
    """Return with how many seeds each filter diverges, and its errors with the others."""
    figures = []
    for dt in STEPS:
        truth_at(dt)        # here, so that processes have it
        found = over_cases(errors, product([dt], SENSORS, FILTERS, SEEDS))
        for sensors, name in product(SENSORS, FILTERS):
            rows = [found[dt, sensors, name, seed] for seed in SEEDS]
            figures += figures_of(f'stiff, {1e3 * dt:g} ms, {" and ".join(sensors)}, {name}',
                                  [row for row in rows if row is not None],
                                  sensors[0] == 'crank_encoder' and name in STABLE)
    return figures


def figures_of(label, rows, has_to_be_stable):
    """Return the figures of one filter; errors are over seeds with which it is not lost.

    Lost: the crank is farther off than at the start.
    """
    found = [row for row in rows if row[0] < START_ERROR]
    figures = [Figure(f'{label}: diverges with', len(SEEDS) - len(rows), f'of {len(SEEDS)}',
                      0 if has_to_be_stable else None),
               Figure(f'{label}: lost with', len(rows) - len(found),
                      f'of {len(SEEDS)}')]
    if found:
        crank, coupler = np.mean(found, axis=0)
        figures += [Figure(f'{label}: crank', crank, 'rad'),
                    Figure(f'{label}: coupler', coupler, 'rad')]
    return figures


@lru_cache(maxsize=1)
def truth_at(dt):
    """Return the true Run of the stiff linkage at steps of dt [s]."""
    return true_run(load_mechanism(STIFF), DURATION, dt)


def errors(dt, sensors, name, seed):
    """Return the root mean square errors of z (g) after SETTLED; None if the filter diverges."""
    truth = truth_at(dt)
    prototype = truth.mechanism
    mechanism = apply_model_errors(prototype, ERRORS)
    stamps = stamps_of(truth.t)
    readings = np.hstack([
        RecordedSensor(
            sensor.with_settings(replace(sensor.settings, rate=min(sensor.rate, 1.0 / dt))),
            truth, stamps).readings(seed) for sensor in sensors_of(prototype, sensors)])
    plugin = name.split(',')[0]
    filter_ = make_filter(plugin, mechanism, sensors_of(mechanism, sensors), dt,
                          **of_papers(plugin), **FILTERS[name])
    try:
        observed = observe(filter_, stamps, readings, dt)
    except DivergenceError:
        return None
    late = truth.t >= SETTLED
    return np.sqrt(np.mean((observed.z[late] - truth.z[late]) ** 2, axis=0))


def review_figures():
    """Return the errors of dekf_exponential, with error_ekf as its peer."""
    return [figure for figures in over_cases(review_case, REVIEW).values() for figure in figures]


def review_case(name, sensor):
    """Return the figures of a mechanism and a sensor, of prototypes moved in two ways.

    The review's prototype goes by the rule and the step of error_ekf, and so with its error, which
    is no error to error_ekf; scipy's goes as the equations say.
    """
    mechanism, settings = load_mechanism(name), WHITE if name == 'five_bar' else {}
    prototypes = {'scipy': true_run(mechanism, REVIEW_DURATION, REVIEW_STEP), 'review': None}
    figures = []
    for prototype, truth in prototypes.items():
        experiment = wrong_gravity(sensor, mechanism, truth)
        ours, peer = (monte_carlo(experiment, filter_, REVIEW_SEEDS, processes=1, **settings)
                      for filter_ in ('dekf_exponential', 'error_ekf'))
        for quantity, (text, unit) in QUANTITIES.items():
            other = peer[quantity].mean()
            figures.append(Figure(
                f"{name}, {sensor}, dekf_exponential, {prototype}'s prototype: {text}",
                ours[quantity].mean(), unit, AS_GOOD * other, peer='error_ekf', peer_value=other))
    return figures
