"""Time of one predict and correct on the four-bar linkage with its encoder, calls included.

Beside it the time of the model's step alone, by the same formulation as error_ekf's.
"""

import numpy as np

from benchmarks.figures import Figure
from benchmarks.stopwatch import times_per_call
from mb_estimators import available_filters, make_filter
from mb_model import load_mechanism
from mb_model.formulations import make_stepper
from mb_sensors import sensors_of

STEP = 5e-3                             # s
TARGETS = {'error_ekf': 25.0, 'error_ekf_fe': 30.0, 'ukf': 80.0, 'cekf': 150.0}      # us


def measure():
    """Return one figure for each filter."""
    mechanism = load_mechanism('four_bar')
    sensors = sensors_of(mechanism, ['crank_encoder'])
    stepper = make_stepper(mechanism, 'index3_al')
    times = times_per_call({
        **{name: whole_step(make_filter(name, mechanism, sensors, STEP), mechanism.z0)
           for name in available_filters()},
        'model': lambda: stepper.step(STEP)})
    peer = times.pop('model')
    return [Figure(f'{name}, predict and correct', 1e6 * time, 'us', TARGETS.get(name),
                   peer='model step alone', peer_value=1e6 * peer)
            for name, time in times.items()]


def whole_step(filter, z):
    """Return a function that predicts and corrects a filter held at a position."""
    readings = np.array(z)

    def step():
        filter.predict(STEP)
        filter.correct(readings)
    return step
