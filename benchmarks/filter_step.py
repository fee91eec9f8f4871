"""Time of one predict and correct on the four-bar linkage with its encoder, calls included.

Beside it the time of the model's step alone, by the same formulation as error_ekf's, and filterpy's
EKF and UKF around the same compiled model; how well those estimate, too.
"""

import numpy as np

from benchmarks.cases import STEP, wrong_gravity
from benchmarks.figures import Figure
from benchmarks.peers import installed
from benchmarks.stopwatch import times_per_call
from mb_estimators import available_filters, make_filter, monte_carlo
from mb_model import load_mechanism, make_stepper
from mb_sensors import sensors_of

SEEDS = range(5)
TARGETS = {'error_ekf': 25.0, 'error_ekf_fe': 30.0, 'ukf': 80.0, 'cekf': 150.0,      # us
           'fixed_lag_smoother': 0.5 * 1e6 * STEP}
PERIOD_SHARE = 0.05 * 1e6 * STEP        # us, of all the others
OURS = {'filterpy EKF': 'error_ekf', 'filterpy UKF': 'ukf'}


def measure():
    """Return one figure for each filter, and the peers' figures."""
    mechanism = load_mechanism('four_bar')
    sensors = sensors_of(mechanism, ['crank_encoder'])
    stepper = make_stepper(mechanism, 'index3_al')
    peers = filterpy_filters()
    times = times_per_call({
        **{name: whole_step(make_filter(name, mechanism, sensors, STEP), mechanism.z0)
           for name in available_filters(mechanism)},
        **{name: whole_step(peer(mechanism, sensors, STEP), mechanism.z0)
           for name, peer in peers.items()},
        'model': lambda: stepper.step(STEP)}, calls=1000)
    return [Figure(f'{name}, predict and correct', 1e6 * times[name], 'us',
                   TARGETS.get(name, PERIOD_SHARE), peer='model step alone',
                   peer_value=1e6 * times['model']) for name in available_filters(mechanism)] + [
        figure for name, peer in peers.items() for figure in peer_figures(name, peer, times)]


def filterpy_filters():
    """Return the peers by name, none where filterpy is not installed."""
    found = installed('filterpy_filters')
    return {'filterpy EKF': found.FilterpyEkf, 'filterpy UKF': found.FilterpyUkf} if found else {}


def peer_figures(name, peer, times):
    """Return our time and position error beside a peer's."""
    ours = OURS[name]
    experiment = wrong_gravity('crank_encoder')
    error = monte_carlo(experiment, ours, SEEDS, processes=1)['position_rmse_after_2s'].mean()
    return [Figure(f'{ours}, predict and correct', 1e6 * times[ours], 'us', peer=name,
                   peer_value=1e6 * times[name]),
            Figure(f'{ours}, position RMSE after 2 s', error, 'rad', peer=name,
                   peer_value=np.mean([peer_error(experiment, peer, seed) for seed in SEEDS]))]


def peer_error(experiment, peer, seed):
    """Return the position RMSE after 2 s [rad] of a peer in one run."""
    filter_ = peer(experiment.mechanism, experiment.sensors, STEP)
    errors = []
    for k, readings in enumerate(experiment.readings(seed)):
        if k > 0:
            filter_.predict(STEP)
        filter_.correct(readings)
        errors.append(filter_.x[0] - experiment.truth.z[k, 0])
    return np.sqrt(np.mean(np.square(errors)[experiment.t >= 2.0]))


def whole_step(filter_, z):
    """Return a function that predicts and corrects a filter held at a position."""
    readings = np.array(z)

    def step():
        filter_.predict(STEP)
        filter_.correct(readings)
    return step
