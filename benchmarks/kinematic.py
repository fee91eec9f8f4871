"""The kinematic filter with its models of the acceleration, and the forces it finds.

Sec. 8 of Rodriguez et al. 2023 gives no figures: error_ekf_fe with the same sensors is beside it.
At 200 Hz for 10 s, after 2 s, means over noise seeds; forces are those that make up for the wrong
gravity, by inverse dynamics of the true motion.  Their consistency: the mean square of errors in
deviations, 1 where these are right.
"""

from itertools import product

import numpy as np

from benchmarks.cases import SEEDS, STEP, over_cases, wrong_gravity
from benchmarks.figures import Figure
from mb_estimators import SETTLED, make_filter

SENSORS = {
    'four_bar': (('crank_encoder', 'crank_gyro'), ('crank_encoder', 'crank_accelerometers'),
                 ('coupler_gyro', 'crank_accelerometers'), ('crank_accelerometers',)),
    'five_bar': (('crank_encoders', 'crank_accelerometers'),
                 ('coupler_gyros', 'crank_accelerometers'))}
INPUTS = 'crank_accelerometers'
MODELS = {                              # label -> settings
    'random_walk': {'acceleration_model': 'random_walk'},
    'random_walk, ekf of forces': {'acceleration_model': 'random_walk', 'force_stage': 'ekf'},
    'jerk': {'acceleration_model': 'jerk'}, 'input': {'acceleration_model': 'input'},
    'input, rk4': {'acceleration_model': 'input', 'discretisation': 'rk4'}}
FORCE = {'four_bar': {}, 'five_bar': {'acceleration_variance': 0.10996}}     # of error_ekf_fe
QUANTITIES = (('position', 'rad'), ('velocity', 'rad/s'), ('acceleration', 'rad/s^2'),
              ('force', 'N m'), ('consistency of the force', ''))


def measure():
    """Return the errors of all models of the acceleration with all sets of sensors."""
    cases = [(mechanism, sensors, model) for mechanism, sets in SENSORS.items()
             for sensors, model in product(sets, (*MODELS, None))
             if model is None or 'input' not in model or INPUTS in sensors]
    found = over_cases(errors, cases)
    return [Figure(f'{mechanism}, {" and ".join(sensors)}, {model}: {text}', value, unit,
                   peer='error_ekf_fe', peer_value=peer)
            for (mechanism, sensors, model), values in found.items() if model
            for value, peer, (text, unit) in zip(
                values, found[mechanism, sensors, None], QUANTITIES, strict=True)]


def errors(mechanism, sensors, model):
    """Return the QUANTITIES of a model of the acceleration; None: of error_ekf_fe."""
    experiment = wrong_gravity(sensors, mechanism)
    truth, wrong = experiment.truth, experiment.mechanism
    late = truth.t >= SETTLED
    missing = np.array([wrong.inverse_dynamics(*state) for state in zip(
        truth.z, truth.zd, truth.zdd, truth.q, strict=True)])
    rows = []
    for seed in SEEDS:
        if model:
            filter_ = make_filter('kinematic_kf', wrong, experiment.sensors, STEP, **MODELS[model])
        else:
            filter_ = make_filter('error_ekf_fe', wrong, experiment.sensors, STEP,
                                  **FORCE[mechanism])
        estimates = []
        for k, reading in enumerate(experiment.readings(seed)):
            if k > 0:
                filter_.predict(STEP)
            filter_.correct(reading)
            estimates.append(filter_.estimate)
        force_error = np.array([e.forces for e in estimates]) - missing
        deviations = np.array([e.force_deviations for e in estimates])
        wrongs = [np.array([getattr(e, name) for e in estimates]) - getattr(truth, name)
                  for name in ('z', 'zd', 'zdd')] + [force_error]
        rows.append([*(np.sqrt(np.mean(x[late] ** 2, axis=0)).mean() for x in wrongs),
                     np.mean((force_error / deviations)[late] ** 2)])
    return np.mean(rows, axis=0)
