"""platform_ekf on a parallel robot: poses from encoders, accelerations from one IMU."""

import numpy as np
import pytest
from robot_motion import figure_of_eight, ideal_readings
from scipy import stats

from mb_estimators import make_filter
from mb_model import load_mechanism
from mb_sensors import SensorNoise

DT = 1e-3
ROBOT = load_mechanism('three_rrr')
SENSORS = ('drive_encoders', 'imu')


def new_filter(mechanism=ROBOT, sensors=SENSORS, **settings):
    return make_filter('platform_ekf', mechanism, list(sensors), DT, **settings)


BOTH = pytest.mark.parametrize('correction', ['iterated', 'sigma_points'])


def pose(z, mechanism=ROBOT):
    """Return q on the branch of the file at a pose of the platform."""
    return mechanism.assemble(np.asarray(z))


@pytest.mark.parametrize('body', ['platform', 'outer2'])
def test_readings_change_with_the_states_as_central_differences_say(body):
    """By the innovation covariance with a variance of one state alone; also those by zdd."""
    probe = {'kind': 'accelerometer', 'body': body, 'at': [0.07, -0.05], 'orientation': 0.6,
             'axes': ['x', 'y'], 'sigma': 0.05}
    robot = ROBOT.replace(sensors={'probe': probe}, gravity=[0.0, -9.81])
    filter_ = new_filter(robot, (*SENSORS, 'probe'))
    state = np.array([0.04, -0.06, 0.2, 0.9, -0.7, 2.0, 8.0, 5.0, -30.0])
    noise = np.diag([s.settings.variance for s in filter_.sensors for _ in s.channels])
    tiny, variance, step = np.eye(9) * 1e-20, 1e-10, 1e-6
    readings = ideal_readings(robot, filter_.sensors, *state.reshape(3, 1, 3))[0]

    def at(x, covariance):
        filter_.reset(x[:3], x[3:6], covariance)
        filter_._filter['x'][6:9] = x[6:]
        return filter_.correct(readings)

    for i in range(9):
        change = step * np.eye(9)[i]
        column = (at(state - change, tiny).residual
                  - at(state + change, tiny).residual) / (2.0 * step)
        spread = at(state, tiny + variance * np.diag(np.eye(9)[i])).covariance - noise
        np.testing.assert_allclose(spread / variance, np.outer(column, column), rtol=1e-4,
                                   atol=2e-4)


@pytest.mark.parametrize('z', [[0.08, 0.0, 0.0], [-0.05, 0.07, 0.3], [0.02, -0.1, -0.4]])
def test_encoders_give_any_pose_at_once(z):
    """The first correction is forward kinematics by Newton, its covariance J R J^T."""
    filter_ = new_filter(sensors=['drive_encoders'], initial_variance=1e2)
    z = np.array(z)
    filter_.correct(ideal_readings(ROBOT, filter_.sensors, z[None], *np.zeros((2, 1, 3)))[0])
    estimate = filter_.estimate
    np.testing.assert_allclose(estimate.z, z, atol=1e-10)
    np.testing.assert_allclose(estimate.q, pose(z), atol=1e-9)
    drives = [ROBOT.coordinates.index(f'drive{i}') for i in (1, 2, 3)]
    by_drives = np.linalg.inv([
        ROBOT.velocity(pose(z), row)[drives] for row in np.eye(3)]).T
    variance = filter_.sensors[0].settings.variance
    np.testing.assert_allclose(estimate.covariance[:3, :3], variance * by_drives @ by_drives.T,
                               rtol=3e-3, atol=1e-15)      # linearised a little beside it


def test_sigma_points_correct_as_the_unscented_transform_says():
    """Of readings that are far from linear over the spread; in plain numpy; a bias is a state."""
    robot = ROBOT.replace(sensors={'platform_gyro': {'bias_sigma': 0.03}})
    filter_ = new_filter(robot, correction='sigma_points')
    center = np.array([0.04, -0.06, 0.2, 0.9, -0.7, 2.0, 0.0, 0.0, 0.0, 0.0])
    sigmas = np.array([0.02, 0.02, 0.1, 0.3, 0.3, 1.0, 10.0, 10.0, 10.0, 0.03])
    filter_.reset(center[:3], center[3:6], np.diag(sigmas[:9] ** 2))
    spread = np.sqrt(10.0) * np.diag(sigmas)
    points = center + np.vstack([np.zeros(10), spread, -spread])
    weights = np.r_[0.0, np.full(20, 0.05)]
    motions = points[:, :9].reshape(21, 3, 3).swapaxes(0, 1)
    outputs = ideal_readings(robot, filter_.sensors, *motions)
    gyro = [channel for s in filter_.sensors for channel in s.channels].index('platform_gyro')
    outputs[:, gyro] += points[:, 9]
    mean = weights @ outputs
    y, x = outputs - mean, points - center
    noise = np.diag([s.settings.variance for s in filter_.sensors for _ in s.channels])
    weighted = np.diag(weights + np.r_[2.0, np.zeros(20)])      # beta, of the centre
    S, gain = y.T @ weighted @ y + noise, x.T @ weighted @ y
    gain = gain @ np.linalg.inv(S)
    reading = mean + 0.3 * np.sqrt(np.diag(S))
    innovation = filter_.correct(reading)
    np.testing.assert_allclose(innovation.residual, reading - mean, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(innovation.covariance, S, rtol=1e-7, atol=1e-12)
    found, best = filter_.estimate, center + gain @ (reading - mean)
    np.testing.assert_allclose(np.hstack([found.z, found.zd, found.zdd]), best[:9], rtol=1e-6)
    np.testing.assert_allclose(found.biases['platform_gyro'], best[9], rtol=1e-6)
    left = np.diag(sigmas ** 2) - gain @ S @ gain.T
    np.testing.assert_allclose(found.covariance, left[:9, :9], rtol=1e-6,
                               atol=1e-9 * np.abs(left).max())


@BOTH
def test_errors_are_as_large_as_the_filter_says(correction):
    """Pose, velocity, acceleration and biases of the IMU together, over several seeds."""
    robot = ROBOT.replace(sensors={
        'platform_gyro': {'bias': 0.05, 'bias_sigma': 0.03},
        'platform_accelerometer': {'bias': -0.4, 'bias_sigma': 0.25}})
    t = np.arange(0.0, 0.5, DT)
    motion = figure_of_eight(t)
    filter_ = new_filter(robot, jerk_psd=400.0, angular_jerk_psd=1e3, correction=correction)
    truth = np.hstack([values[-1] for values in motion])
    readings = ideal_readings(robot, filter_.sensors, *motion)
    squares = []
    for seed in range(8):
        noises = [SensorNoise(s.settings, seed, s.name) for s in filter_.sensors]
        columns = np.cumsum([0] + [len(s.channels) for s in filter_.sensors])
        noisy = np.hstack([
            noise.readings(range(len(t)), readings[:, a:b])
            for noise, a, b in zip(noises, columns, columns[1:], strict=False)])
        filter_.reset(motion[0][0], motion[1][0])
        for k, row in enumerate(noisy):
            if k:
                filter_.predict(DT)
            filter_.correct(row)
        estimate = filter_.estimate
        error = np.hstack([estimate.z, estimate.zd, estimate.zdd]) - truth
        squares.append(error @ np.linalg.solve(estimate.covariance, error))
        biases = np.array(list(estimate.biases.values())) - [0.05, -0.4, -0.4]
        assert (np.abs(biases) < 4.5 * np.array(list(estimate.bias_deviations.values()))).all()
        assert max(estimate.bias_deviations.values()) < 0.06
    assert sum(squares) < stats.chi2.isf(1e-3, 9 * len(squares))
    assert sum(squares) > stats.chi2.isf(1.0 - 1e-3, 9 * len(squares)) / 3.0


@BOTH
def test_a_sudden_acceleration_shows_in_the_first_reading_of_the_imu(correction):
    """As a contact makes it, with noise that leaves the force to 0.6 N in free motion."""
    filter_ = new_filter(correction=correction)
    still = np.zeros((1, 3))
    at_rest = ideal_readings(ROBOT, filter_.sensors, still, still, still)[0]
    for _ in range(300):
        filter_.predict(DT)
        filter_.correct(at_rest)
    assert np.sqrt(filter_.estimate.covariance[6, 6]) * 5.2 < 0.6
    hit = np.array([[20.0, -10.0, 0.0]])
    filter_.predict(DT)
    filter_.correct(ideal_readings(
        ROBOT, filter_.sensors, hit * DT ** 2 / 2.0, hit * DT, hit)[0])
    np.testing.assert_allclose(filter_.estimate.zdd[:2], hit[0, :2], rtol=0.05)
