"""Offsets of sensors, estimated beside the motion."""

from filter_traits import (
    ACCELERATIONS,
    ADAPTIVE,
    DEPENDENT,
    ERROR_STATE,
    GRAPHS,
    KINEMATIC,
    PULSES,
    WALKS,
    filters_with,
    known_parameters,
)
from free_motion import AccelerationTextbook, JerkTextbook, TextbookFilter
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from scipy import stats
from wild_readings import endure_wild_readings

from mb_estimators import ImpossibleReadingError, available_filters, make_filter
from mb_model import Mechanism, load_mechanism, simulate
from mb_sensors import SensorNoise, sensors_of
from mb_sensors.readings import true_values

DT = 0.005
FILTERS = sorted(set(available_filters(load_mechanism('four_bar'))) - {*ADAPTIVE})
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


@pytest.mark.parametrize('name', [name for name in FILTERS if name not in (*GRAPHS, *PULSES)])
def test_on_a_free_wheel_biases_are_states_of_the_kalman_filter(name):
    """Two gyroscopes of different, walking and constant, offsets beside an encoder without.

    Tolerances as in test_filters; the smoother is left out as there.
    """
    noise, variance = 0.4, 0.01
    tolerance = 3e-5 if name in ERROR_STATE else 1e-9
    if name.startswith('cekf'):
        tolerance = DT * 0.4
    rounding = 1e-6 if name == 'cekf_penalty' else 1e-11
    motion = 3 if name in WALKS else 2
    tuning = {'acceleration_variance': noise * DT} if motion == 3 else {'acceleration_psd': noise}
    if name in filters_with('gamma'):
        tuning['gamma'] = 1e9
    if name in DEPENDENT:
        tuning |= {'dependent_variance': 1e8, 'constraint_tolerance': 1e-9}
    if name in filters_with('angular_jerk_psd'):
        tuning = {'angular_jerk_psd': noise}
    if name in KINEMATIC:
        tuning['initial_acceleration_variance'] = variance
    filter_ = make_filter(name, WHEEL, ['encoder', 'second', 'gyro'], DT,
                          initial_variance=variance, **tuning, **known_parameters(name))
    kind = AccelerationTextbook if name in ACCELERATIONS else (
        JerkTextbook if name in KINEMATIC else TextbookFilter)
    textbook = kind(
        np.array([*[0.3, 2.0, 0.0][:motion], 0.0, 0.0]),
        np.diag([variance] * motion + [0.7 ** 2, 0.4 ** 2]), noise,
        np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]]),
        np.diag([0.02 ** 2, 0.05 ** 2, 0.05 ** 2]), name not in DEPENDENT, (0.0, 0.3 ** 2))
    textbook.acceleration_variance = getattr(filter_.settings, 'acceleration_variance', None)
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


@pytest.mark.parametrize('name', FILTERS)
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2 ** 32), st.floats(1e-4, 1.0))
def test_covariance_stays_positive_definite(name, seed, bias_sigma):
    loose = name in (*DEPENDENT, 'cekf_penalty')
    endure_wild_readings(name, seed, 'four_bar', 1e-3 if loose else 1e-6, bias_sigma)


@pytest.mark.parametrize('name', ['cekf', 'cekf_penalty', 'error_ekf', 'sckf', 'ukf'])
def test_impossible_readings_leave_the_biases(name):
    """Both feet of the five-bar linkage cannot be turned to where it would have to tear."""
    mechanism = load_mechanism('five_bar').replace(
        points={'B': {'fixed': [5.9, 0.0]}}, start={'theta1': 0.0, 'theta2': 'pi'},
        sensors={'left_crank_encoder': {'bias_sigma': 0.1}})
    filter_ = make_filter(name, mechanism, ['crank_encoders'], DT, initial_variance=10.0)
    before = filter_.estimate
    with pytest.raises(ImpossibleReadingError):
        filter_.correct(np.array([3.1, 0.05]))
    after = filter_.estimate
    assert after.biases == before.biases == {'left_crank_encoder': 0.0}
    assert after.bias_deviations == before.bias_deviations


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
