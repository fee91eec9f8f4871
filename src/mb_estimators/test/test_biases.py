"""Offsets of sensors, estimated beside the motion."""

from filter_traits import (
    ACCELERATIONS,
    CONTINUOUS,
    DEPENDENT,
    ERROR_STATE,
    GRAPHS,
    PENALTY,
    PULSES,
    WALKS,
    WINDOWED,
)
from free_motion import FLYWHEEL, filter_and_textbook
import numpy as np
import pytest
from scipy import stats

from mb_estimators import available_filters, make_filter
from mb_model import load_mechanism, simulate
from mb_sensors import SensorNoise, sensors_of
from mb_sensors.readings import true_values

DT = 0.005
FILTERS = sorted(set(available_filters(load_mechanism('four_bar')))
                 - {*WINDOWED, *GRAPHS, *PULSES})
WHEEL = FLYWHEEL.replace(sensors={
    'gyro': {'bias_sigma': 0.4, 'bias_walk': 0.3},
    'second': {'kind': 'gyroscope', 'body': 'wheel', 'sigma': 0.05, 'bias_sigma': 0.7}})


@pytest.mark.parametrize('name', FILTERS)
def test_on_a_free_wheel_biases_are_states_of_the_kalman_filter(name):
    """Two gyroscopes of different, walking and constant, offsets beside an encoder without.

    Tolerances as in test_filters; the smoother is left out as there.
    """
    tolerance = 3e-5 if name in ERROR_STATE else 1e-9
    if name in CONTINUOUS:
        tolerance = DT * 0.4
    rounding = 1e-6 if name in PENALTY else 1e-11
    motion = 3 if name in WALKS else 2
    filter_, textbook = filter_and_textbook(
        name, WHEEL, ['encoder', 'second', 'gyro'], DT, 0.4, 0.01,
        np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]]),
        [0.02, 0.05, 0.05], (0.7, 0.4), (0.0, 0.3 ** 2))
    random = np.random.default_rng(3)
    for _ in range(300):
        h = DT * random.uniform(0.2, 1.0)
        filter_.predict(h)
        textbook.predict(h)
        x = textbook.x
        reading = textbook.H @ [*x[:2], *x[motion:]] + random.normal(size=3) * [0.02, 0.05, 0.05]
        reading[random.random(3) < 0.3] = np.nan
        fit = filter_.correct(reading)
        y, S, _ = textbook.correct(reading)
        np.testing.assert_allclose(fit.residual, y, atol=tolerance)
        np.testing.assert_allclose(fit.covariance, S, atol=rounding)
    estimate, x, P = filter_.estimate, textbook.x, textbook.P
    np.testing.assert_allclose([estimate.z[0], estimate.zd[0]], x[:2], atol=tolerance)
    np.testing.assert_allclose(list(estimate.biases.values()), x[motion:], atol=tolerance)
    assert list(estimate.biases) == list(estimate.bias_deviations) == ['second', 'gyro']
    np.testing.assert_allclose(estimate.covariance, P[:motion, :motion], atol=rounding)
    np.testing.assert_allclose(list(estimate.bias_deviations.values()),
                               np.sqrt(np.diagonal(P)[motion:]), rtol=1e3 * rounding)


@pytest.mark.parametrize(('name', 'wrong'), [
    ('error_ekf_ej', 'coupler_gyro'), ('error_ekf_fe', 'coupler_gyro'),
    ('dekf_exponential', 'coupler_gyro'), ('srukf', 'coupler_gyro'),
    ('error_ekf_ej', 'crank_encoder'), ('sckf', 'coupler_gyro'), ('diekf_pm', 'coupler_gyro'),
    ('cekf_penalty', 'coupler_gyro'), ('cekf_penalty', 'crank_encoder'),
    ('ukf_acceleration', 'crank_encoder'), ('ssukf_acceleration', 'crank_encoder')])
def test_the_offset_of_one_of_two_sensors_is_found(name, wrong):
    """On the four-bar linkage; errors are as large as the filter says, over several seeds.

    Filters in dependent coordinates step by forward Euler, whose errors are plant noise to them;
    filters with accelerations lose track with the gyroscope of the coupler, offset or not.
    """
    offset = {'bias': 0.05, 'bias_sigma': 0.1}
    mechanism = load_mechanism('four_bar').replace(sensors={wrong: offset})
    run = simulate(mechanism, 4.0, DT)
    gyro = 'crank_gyro' if name in ACCELERATIONS else 'coupler_gyro'
    sensors = sensors_of(mechanism, ['crank_encoder', gyro])
    truth = [true_values(mechanism, sensor, run.q, run.qd, run.qdd) for sensor in sensors]
    tuning = {'acceleration_psd': 3e-2 if name in DEPENDENT else 1e-6}
    if name in WALKS:
        tuning = {'acceleration_variance': 1e-8}
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
