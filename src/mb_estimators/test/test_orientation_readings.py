"""Filters of an arm that is seen by a tracker of its hand alone: place and orientation."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mb_estimators import make_filter
from mb_model import load_mechanism, simulate
from mb_sensors import SensorError, SensorNoise, sensors_of, true_values

DT = 2e-3
UR5 = load_mechanism('six_axis_arm')
# Mounted so that it is turned by nearly half a turn: its rotation vectors change sign on the way.
HAND = Rotation.from_matrix(UR5.body_motion('wrist3', UR5.q0).rotation)
RPY = (HAND.inv() * Rotation.from_rotvec([3.11, 0.2, 0.3949])).as_euler('xyz').tolist()
ARM = UR5.replace(sensors={
    'turn': {'kind': 'orientation', 'body': 'wrist3', 'rpy': RPY, 'sigma': 2e-3},
    'place': {'kind': 'position', 'point': {'body': 'wrist3', 'at': 'tool'}, 'sigma': 1e-3}})


@pytest.fixture(scope='module')
def run():
    """The arm falls."""
    run = simulate(ARM, 0.3, DT, estimate_error=False)
    turn, = sensors_of(ARM, 'turn')
    seen = true_values(ARM, turn, run.q, run.qd, run.qdd)[:, 0]
    assert seen.max() > 2.5
    assert seen.min() < -2.5
    return run


@pytest.mark.parametrize('name', ['error_ekf', 'ukf'])
def test_a_wrong_start_is_corrected_by_orientation_and_place(name, run):
    sensors, rows = sensors_of(ARM, ['turn', 'place']), []
    for sensor in sensors:
        truth = true_values(ARM, sensor, run.q, run.qd, run.qdd)
        noise = SensorNoise(sensor.settings, 5, sensor.name, sensor.is_rotation)
        rows.append(noise.readings(np.arange(len(truth)), truth))
    readings = np.hstack(rows)
    estimator = make_filter(name, ARM, sensors, DT)
    estimator.reset(run.z[0] + [0.05, -0.04, 0.06, 0.05, -0.06, 0.04], run.zd[0])
    for k in range(1, len(run.t)):
        estimator.predict(DT)
        innovation = estimator.correct(readings[k])
        assert len(innovation.residual) == 6
    assert np.abs(estimator.estimate.z - run.z[-1]).max() < 0.01
    given = readings[-1].copy()
    estimator.correct(given)
    np.testing.assert_array_equal(given, readings[-1])


@pytest.mark.parametrize('name', ['fixed_lag_smoother', 'cekf'])
def test_filters_that_keep_readings_refuse_orientations(name):
    with pytest.raises(SensorError, match='turn: this filter keeps readings'):
        make_filter(name, ARM, ['turn', 'place'], DT)


def test_no_bias_of_an_orientation_is_estimated():
    biased = ARM.replace(sensors={'turn': {'bias_sigma': 0.1}})
    with pytest.raises(SensorError, match=r'turn\.bias_sigma: no bias'):
        make_filter('error_ekf', biased, ['turn', 'place'], DT)
