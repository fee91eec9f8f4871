"""Factor graphs that estimate: four-bar linkage, gravity 1 m/s^2 and start pi/16 wrong, 200 Hz.

The smoothed estimates of fixed_lag_smoother with a lag of 0.25 s, of position and of the unknown
force, beside error_ekf_fe's at the same instants, of 10 s and noise seeds; time of a step
with a lag of 20 steps, and of smoothing 10 s as a whole, in processor time of one core.
"""

from itertools import product
from time import process_time

import numpy as np

from benchmarks.cases import STEP, over_cases, wrong_gravity
from benchmarks.figures import Figure
from benchmarks.review_reference import SENSORS
from mb_estimators import make_filter, smooth

LAG = 0.25                                      # s
SEEDS = range(10)
EVERY = 10                                      # instants of which one is compared
WARM = 100                                      # steps before the first that is timed


def measure():
    """Return the errors of the smoother beside the filter's, and its times."""
    found, figures = over_cases(errors, product(SENSORS, SEEDS)), []
    for sensor in SENSORS:
        rows = [found[sensor, seed] for seed in SEEDS]
        filtered, smoothed = np.mean(rows, axis=0)
        better = np.mean(np.array(rows)[:, 1] < np.array(rows)[:, 0], axis=0)
        for text, unit, value, peer_value, share in zip(
                ('position', 'force'), ('rad', 'N m'), smoothed, filtered, better, strict=True):
            figures += [Figure(f'{sensor}: smoothed 0.25 s later, {text}', value, unit, peer_value,
                               peer='error_ekf_fe', peer_value=peer_value),
                        Figure(f'{sensor}: seeds with a smaller error of {text}', share, '')]
    step, whole = times()
    return [*figures,
            Figure('a step at 200 Hz, lag of 20 steps', 1e3 * step, 'ms', 1e3 * STEP),
            Figure('smoothing 10 s at 200 Hz as a whole', whole, 's', 10.0)]


def errors(sensor, seed):
    """Return RMSE of position and force, of error_ekf_fe and of the smoother (2, 2)."""
    experiment = wrong_gravity(sensor)
    filters = [make_filter('error_ekf_fe', experiment.mechanism, experiment.sensors, STEP),
               make_filter('fixed_lag_smoother', experiment.mechanism, experiment.sensors, STEP,
                           lag=LAG)]
    rows, behind = ([], []), round(LAG / STEP)
    kept = []
    for k, readings in enumerate(experiment.readings(seed)):
        for filter_ in filters:
            if k > 0:
                filter_.predict(STEP)
            filter_.correct(readings)
        kept.append(filters[0].estimate)
        if k >= behind and k % EVERY == 0:
            at = k - behind
            force = true_force(experiment, at)
            for row, estimate in zip(rows, (kept[at], filters[1].smoothed[1]), strict=True):
                row.append([(estimate.z - experiment.truth.z[at])[0],
                            (estimate.forces - force)[0]])
    return [np.sqrt(np.mean(np.square(row), axis=0)).tolist() for row in rows]


def true_force(experiment, k):
    """Return the force that makes the wrong model move as the prototype does."""
    truth = experiment.truth
    return experiment.mechanism.inverse_dynamics(
        truth.z[k], truth.zd[k], truth.zdd[k], near=truth.q[k])


def times():
    """Return the mean processor time of a step and of smoothing 10 s [s]."""
    experiment = wrong_gravity('crank_encoder')
    filter_ = make_filter('fixed_lag_smoother', experiment.mechanism, experiment.sensors, STEP,
                          lag=20 * STEP)
    for k, readings in enumerate(experiment.readings(0)):
        if k == WARM:
            begin = process_time()
        if k > 0:
            filter_.predict(STEP)
        filter_.correct(readings)
    step = (process_time() - begin) / (k + 1 - WARM)
    filter_ = make_filter('fixed_lag_smoother', experiment.mechanism, experiment.sensors, STEP)
    begin = process_time()
    smooth(filter_, experiment.recording(0), STEP)
    return step, process_time() - begin
