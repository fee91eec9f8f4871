"""How sensors in space are turned on their bodies, estimated beside the motion."""

from filter_traits import EULER, KINEMATIC, known_parameters, own_settings
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mb_estimators import available_filters, make_filter
from mb_estimators.observability.study import observability
from mb_estimators.plugins import filter_class
from mb_model import Mechanism, load_mechanism, simulate
from mb_sensors import SensorError, SensorNoise, sensors_of, true_values

DT, SECONDS, SIGMA = 0.005, 3.0, np.radians(3.0)
IMU = {'body': 'arm', 'at': [0.05, 0.02, -0.3], 'rpy': [0.3, -0.2, 0.5], 'topic': 'imu'}
# Two hinges, so that the arm turns about all axes; springs keep it moving.
TWO_HINGES = Mechanism({
    'name': 'two_hinges', 'dimension': 3, 'ground': {'O': [0.0, 0.0, 0.0]},
    'bodies': {
        'table': {'mass': 2.0, 'inertia': [0.1, 0.1, 0.1], 'centre_of_gravity': [0.0, 0.0, 0.0],
                  'points': {'O': [0.0, 0.0, 0.0], 'A': [0.3, 0.0, 0.0]}},
        'arm': {'mass': 0.5, 'inertia': [5e-3, 5e-3, 1e-3], 'centre_of_gravity': [0.0, 0.0, -0.2],
                'points': {'A': [0.0, 0.0, 0.0]}}},
    'joints': {
        'bearing': {'kind': 'revolute', 'bodies': ['ground', 'table'], 'at': 'O',
                    'axis': [0, 0, 1]},
        'hinge': {'kind': 'revolute', 'bodies': ['table', 'arm'], 'at': 'A', 'axis': [0, 1, 0]}},
    'coordinates': {'turn': {'kind': 'angle', 'joint': 'bearing'},
                    'swing': {'kind': 'angle', 'joint': 'hinge'}},
    'independent': ['turn', 'swing'], 'start': {'swing': 1.0}, 'start_velocity': {'turn': 1.5},
    'forces': {'spring': {'kind': 'spring_damper', 'coordinate': 'turn', 'stiffness': 2.0}},
    'sensors': {
        'turn_encoder': {'kind': 'angle_encoder', 'coordinate': 'turn', 'sigma': 1e-3},
        'swing_encoder': {'kind': 'angle_encoder', 'coordinate': 'swing', 'sigma': 1e-3},
        'gyro': {'kind': 'gyroscope', **IMU, 'sigma': 5e-3, 'mounting_sigma': float(SIGMA)},
        'accelerometer': {'kind': 'accelerometer', **IMU, 'sigma': 5e-2,
                          'mounting_sigma': float(SIGMA)}}}, 'two_hinges.yaml')
NOTHING = np.zeros(6)     # of gyro and accelerometer
SENSORS = sensors_of(TWO_HINGES, list(TWO_HINGES.sensors))
ALL = available_filters(TWO_HINGES)
TAKING = [name for name in ALL if filter_class(name).takes_mountings]
LIKELY = {'acceleration_variance': 0.1, 'jerk_psd': 0.1 / DT, 'angular_jerk_psd': 0.1 / DT}
QUIET = {'acceleration_variance': 1e-8, 'acceleration_psd': 1e-6, 'noise_deviations': (1e-4,),
         'gamma': 1e9}


def tuned(name):
    """Return settings of a filter by which the motion is as its model has it."""
    euler = {'acceleration_psd': 1e-2} if name in EULER else {}
    return own_settings(name, LIKELY if name in KINEMATIC else QUIET | euler)


def mounted(mechanism, turn):
    """Return a mechanism whose IMU is turned by a rotation vector in its own frame."""
    axes = Rotation.from_euler('xyz', IMU['rpy']) * Rotation.from_rotvec(turn)
    rpy = [float(angle) for angle in axes.as_euler('xyz')]
    return mechanism.replace(sensors={'gyro': {'rpy': rpy}, 'accelerometer': {'rpy': rpy}})


def observed(name, seed):
    """Return the turn of an IMU, and what a filter has found of it after a motion."""
    random, true = np.random.default_rng(seed), simulate(TWO_HINGES, SECONDS, DT)
    turn = SIGMA * random.normal(size=3)
    readings = []
    actual = mounted(TWO_HINGES, turn)
    for sensor in sensors_of(actual, list(actual.sensors)):
        values = true_values(actual, sensor, true.q, true.qd, true.qdd)
        readings.append(SensorNoise(sensor.settings, seed, sensor.name).readings(
            range(len(values)), values))
    readings = np.hstack(readings)
    filter_ = make_filter(name, TWO_HINGES, SENSORS, DT, initial_variance=1e-6, **tuned(name),
                          **known_parameters(name))
    for k, reading in enumerate(readings):
        if k > 0:
            filter_.predict(DT)
        filter_.correct(reading)
    return turn, filter_.estimate


@pytest.mark.parametrize('name', TAKING)
def test_it_is_found(name):
    """As well as the filter says, by gyroscope and accelerometer of one topic together.

    Steps of Euler lag, which counts as noise: errors are small, not so small.
    """
    errors, deviations = [], []
    for seed in range(3):
        turn, estimate = observed(name, seed)
        assert list(estimate.mountings) == ['imu.x', 'imu.y', 'imu.z']
        assert estimate.biases is None
        errors.append(np.array(list(estimate.mountings.values())) - turn)
        deviations.append(list(estimate.mounting_deviations.values()))
    assert np.max(deviations) < SIGMA / 20.0
    assert np.abs(errors).max() < SIGMA / 20.0
    assert name in EULER or np.abs(np.divide(errors, deviations)).max() < 4.0


@pytest.mark.parametrize('name', ['error_ekf_ej', 'kinematic_kf', 'platform_ekf', 'augmented_ekf'])
def test_derivatives_are_exact(name):
    """Of readings by the mounting, and by the motion as mounted, far from zero."""
    filter_ = make_filter(name, TWO_HINGES, ['gyro', 'accelerometer'], DT, gate=0.0,
                          **known_parameters(name))
    record, bias = filter_._filters[0], filter_.layout['bias']
    filter_.reset([0.3, 0.8], [1.2, -0.7])
    turn, step = np.array([0.3, -0.5, 0.4]), 1e-6

    def observe(mounting, swing=0.8, readings=NOTHING):
        filter_.reset([0.3, swing], [1.2, -0.7])
        record['bias'][:3] = mounting
        return readings - filter_.correct(readings).residual

    observe(turn, readings=observe(turn))       # without a correction, where H is of
    H = record['H'][:6].copy()
    for k in range(3):
        shift = step * np.eye(3)[k]
        by_turn = (observe(turn + shift) - observe(turn - shift)) / (2.0 * step)
        np.testing.assert_allclose(H[:, bias.start + k], by_turn, atol=2e-8)
    if name in KINEMATIC:       # whose accelerations do not depend on its positions
        by_swing = (observe(turn, 0.8 + step) - observe(turn, 0.8 - step)) / (2.0 * step)
        np.testing.assert_allclose(H[:, 1], by_swing, atol=2e-8)


def test_missing_axes_are_left_out():
    """An axis without a reading; the others say as much of the mounting as they do alone."""
    filter_ = make_filter('kinematic_kf', TWO_HINGES, ['gyro', 'accelerometer'], DT,
                          initial_acceleration_variance=100.0)
    fit = filter_.correct([np.nan, 0.0, 0.0, 0.0, np.nan, 9.0])
    assert list(fit.channels) == [1, 2, 3, 5]
    assert np.isfinite(list(filter_.estimate.mountings.values())).all()


@pytest.mark.parametrize('name', [name for name in ALL if name not in TAKING])
def test_other_filters_refuse(name):
    with pytest.raises(SensorError, match=r'gyro\.mounting_sigma: this filter estimates no mount'):
        make_filter(name, TWO_HINGES, SENSORS, DT, **known_parameters(name))


@pytest.mark.parametrize(('changes', 'message'), [
    ({'turn_encoder': {'mounting_sigma': 0.1}}, r'turn_encoder\.mounting_sigma: the mounting'),
    ({'gyro': {'mounting_sigma': 0.1}}, r'accelerometer\.mounting_sigma: .* must be as for gyro'),
    ({'gyro': {'body': 'table'}}, r'accelerometer\.mounting_sigma: gyro has the same topic'),
    ({'gyro': {'axes': ['x', 'y']}}, r'gyro\.mounting_sigma: the mounting of a sensor')])
def test_what_cannot_be_is_refused(changes, message):
    mechanism = TWO_HINGES.replace(sensors=changes)
    with pytest.raises(SensorError, match=message):
        make_filter('error_ekf', mechanism, sensors_of(mechanism, list(mechanism.sensors)), DT)


def test_in_the_plane_there_is_none():
    mechanism = load_mechanism('four_bar').replace(
        sensors={'coupler_gyro': {'mounting_sigma': 0.1}})
    with pytest.raises(SensorError, match=r'coupler_gyro\.mounting_sigma: the mounting'):
        make_filter('error_ekf', mechanism, ['coupler_gyro'], DT)


def test_states_have_names_and_units():
    layout = make_filter('error_ekf', TWO_HINGES, SENSORS, DT).layout
    own = layout['bias']
    assert layout.names[own] == tuple(f'mounting of imu.{axis}' for axis in 'xyz')
    assert layout.units[own] == ('rad', 'rad', 'rad')
    np.testing.assert_allclose(layout.variances[own], SIGMA ** 2)


def test_observability_of_a_mounting_is_what_readings_change_with_it():
    """By the readings of IMUs that are mounted a little otherwise, along the same motion."""
    step, run = 1e-5, simulate(TWO_HINGES, 1.0, DT)
    variances = np.repeat([5e-3, 5e-2], 3) ** 2

    def readings(turn):
        actual = mounted(TWO_HINGES, turn)
        return np.hstack([true_values(actual, sensor, run.q, run.qd, run.qdd)
                          for sensor in sensors_of(actual, ['gyro', 'accelerometer'])])

    slopes = np.stack([(readings(step * axis) - readings(-step * axis)) / (2.0 * step)
                       for axis in np.eye(3)], axis=2)
    found = observability(TWO_HINGES, ['turn_encoder', 'swing_encoder', 'gyro', 'accelerometer'],
                          1.0, DT)
    assert found.analytic.states.names[-3:] == tuple(f'mounting of imu.{axis}' for axis in 'xyz')
    expected = SIGMA ** 2 * np.einsum('kci,c,kcj->ij', slopes, 1.0 / variances, slopes)
    np.testing.assert_allclose(found.analytic.matrix[-3:, -3:], expected, rtol=1e-6)
    assert found.analytic.observable.all()
    gyro = observability(TWO_HINGES, ['turn_encoder', 'gyro'], 1.0, DT)
    assert sum('mounting' in name for name in gyro.analytic.states.names) == 3
    alone = observability(TWO_HINGES, ['turn_encoder'], 1.0, DT)
    assert not any('mounting' in name for name in alone.analytic.states.names)
    assert len(alone.added['gyro'].states) == 4 + 3
