"""Offsets of sensors, estimated beside the motion."""

from known_parameters import PARAMETER_FILTERS, known_parameters
import numpy as np
import pytest
from scipy import stats

from mb_estimators import make_filter
from mb_estimators.filter import FilterError
from mb_model import load_mechanism, simulate
from mb_model.mechanism import Mechanism
from mb_sensors import SensorNoise, sensors_of
from mb_sensors.readings import true_values

DT = 0.005
FILTERS = (*PARAMETER_FILTERS, 'cekf', 'dekf', 'dekf_exponential', 'direct_ekf',
           'direct_ekf_ej', 'direct_ekf_fe', 'error_ekf', 'error_ekf_ej', 'error_ekf_fe', 'srukf',
           'ssukf', 'ukf')
ENCODER, GYRO = {'kind': 'angle_encoder', 'sigma': 0.02}, {'kind': 'gyroscope', 'sigma': 0.05}
WHEEL = Mechanism({
    'name': 'flywheel', 'gravity': [0.0, 0.0],
    'points': {'O': {'fixed': [0.0, 0.0]}, 'P': {'start': [1.0, 0.0]}},
    'bodies': {'wheel': {'points': ['O', 'P'], 'length': 1.0, 'mass': 3.0}},
    'coordinates': {'theta': {'kind': 'angle', 'body': 'wheel'}},
    'independent': ['theta'], 'start': {'theta': 0.3}, 'start_velocity': {'theta': 2.0},
    'sensors': {
        'encoder': {**ENCODER, 'body': 'wheel'},
        'gyro': {**GYRO, 'body': 'wheel', 'bias_sigma': 0.4, 'bias_walk': 0.3},
        'second': {**GYRO, 'body': 'wheel', 'bias_sigma': 0.7}}}, 'flywheel.yaml')


@pytest.mark.parametrize('name', FILTERS)
def test_on_a_free_wheel_biases_are_states_of_the_kalman_filter(name):
    """Two gyroscopes of different, walking and constant, offsets beside an encoder without.

    Tolerances as in test_filters.
    """
    psd, variance = 0.4, 0.01
    tolerance = 3e-5 if name.startswith(('augmented', 'direct', 'dual', 'error')) else 1e-9
    if name == 'cekf':
        tolerance = DT * 0.4
    force = name.endswith('_fe')
    tuning = {'acceleration_variance': psd * DT} if force else {'acceleration_psd': psd}
    filter_ = make_filter(name, WHEEL, ['encoder', 'second', 'gyro'], DT,
                          initial_variance=variance, **tuning, **known_parameters(name))
    motion = 3 if force else 2
    x = np.array([*[0.3, 2.0, 0.0][:motion], 0.0, 0.0])
    P = np.diag([variance] * motion + [0.7 ** 2, 0.4 ** 2])
    H = np.zeros((3, motion + 2))
    H[0, 0] = H[1, 1] = H[2, 1] = H[1, motion] = H[2, motion + 1] = 1.0
    R = np.diag([0.02 ** 2, 0.05 ** 2, 0.05 ** 2])
    random = np.random.default_rng(3)
    for _ in range(300):
        h = DT * random.uniform(0.2, 1.0)
        F, Q = np.eye(motion + 2), np.zeros_like(P)
        F[:motion, :motion] = np.array([[1.0, h, h * h / 2.0], [0, 1, h], [0, 0, 1]])[
            :motion, :motion]
        if force:
            Q[2, 2] = psd * h
        else:
            Q[:2, :2] = psd * np.array([[h ** 3 / 3.0, h * h / 2.0], [h * h / 2.0, h]])
        Q[-1, -1] = 0.3 ** 2 * h
        x, P = F @ x, F @ P @ F.T + Q
        reading = H @ x + random.multivariate_normal(np.zeros(3), R)
        there = random.random(3) > 0.3
        filter_.predict(h)
        fit = filter_.correct(np.where(there, reading, np.nan))
        S = H[there] @ P @ H[there].T + R[there][:, there]
        K = P @ H[there].T @ np.linalg.inv(S)
        np.testing.assert_allclose(fit.residual, (reading - H @ x)[there], atol=tolerance)
        np.testing.assert_allclose(fit.covariance, S, atol=1e-11)
        x = x + K @ (reading - H @ x)[there]
        P = (np.eye(motion + 2) - K @ H[there]) @ P
    estimate = filter_.estimate
    np.testing.assert_allclose([estimate.z[0], estimate.zd[0]], x[:2], atol=tolerance)
    np.testing.assert_allclose(list(estimate.biases.values()), x[motion:], atol=tolerance)
    assert list(estimate.biases) == list(estimate.bias_deviations) == ['second', 'gyro']
    np.testing.assert_allclose(estimate.covariance, P[:motion, :motion], atol=1e-11)
    np.testing.assert_allclose(
        list(estimate.bias_deviations.values()), np.sqrt(np.diag(P)[motion:]), rtol=1e-9)


@pytest.mark.parametrize(('name', 'wrong'), [
    ('error_ekf_ej', 'coupler_gyro'), ('error_ekf_fe', 'coupler_gyro'),
    ('dekf_exponential', 'coupler_gyro'), ('srukf', 'coupler_gyro'),
    ('error_ekf_ej', 'crank_encoder')])
def test_the_offset_of_one_of_two_sensors_is_found(name, wrong):
    """On the four-bar linkage; errors are as large as the filter says, over several seeds."""
    offset = {'bias': 0.05, 'bias_sigma': 0.1}
    mechanism = load_mechanism('four_bar').replace(sensors={wrong: offset})
    run = simulate(mechanism, 4.0, DT)
    sensors = sensors_of(mechanism, ['crank_encoder', 'coupler_gyro'])
    truth = [true_values(mechanism, sensor, run.q, run.qd, run.qdd) for sensor in sensors]
    tuning = {'acceleration_variance': 1e-8} if name.endswith('_fe') else {'acceleration_psd': 1e-6}
    squares, deviations = [], []
    for seed in range(12):
        readings = np.hstack([
            SensorNoise(sensor.settings, seed, sensor.name).readings(range(len(values)), values)
            for sensor, values in zip(sensors, truth, strict=True)])
        filter_ = make_filter(name, mechanism, sensors, DT, initial_variance=1e-6, **tuning)
        start = np.random.default_rng(seed).normal(scale=1e-3, size=2)
        filter_.reset(mechanism.z0 + start[0], mechanism.zd0 + start[1])
        for reading in readings[1:]:
            filter_.predict(DT)
            filter_.correct(reading)
        estimate = filter_.estimate
        error = estimate.biases[wrong] - 0.05
        squares.append((error / estimate.bias_deviations[wrong]) ** 2)
        deviations.append(estimate.bias_deviations[wrong])
    assert max(deviations) < 0.05 / 10.0
    low, high = stats.chi2.interval(0.999, len(squares))
    assert low < sum(squares) < high


def test_a_new_start_forgets_the_biases():
    filter_ = make_filter('error_ekf', WHEEL, ['encoder', 'gyro'], DT)
    fresh = filter_.estimate
    filter_.predict(DT)
    filter_.correct([0.3, 2.5])
    assert filter_.estimate.biases['gyro'] > 0.01
    filter_.reset(WHEEL.z0, WHEEL.zd0)
    assert filter_.estimate.biases == {'gyro': 0.0}
    assert filter_.estimate.bias_deviations == fresh.bias_deviations == {'gyro': 0.4}
    assert make_filter('error_ekf', WHEEL, ['encoder'], DT).estimate.biases is None


@pytest.mark.parametrize('name', ['cekf_penalty', 'diekf_pm', 'sckf', 'ukf_acceleration'])
def test_a_filter_that_estimates_no_biases_says_so(name):
    with pytest.raises(FilterError, match=r'gyro: this filter estimates no biases of sensors'):
        make_filter(name, WHEEL, ['encoder', 'gyro'], DT)
