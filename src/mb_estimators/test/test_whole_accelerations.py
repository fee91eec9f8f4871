"""Filters of motion alone on bodies that turn freely: whole accelerations, carried over."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from scipy.stats import chi2
from spatial_machines import TORQUE_FREE
from test_orientations import place_and_axes

from mb_estimators import make_filter
from mb_estimators.filter import FilterError
from mb_model import Mechanism, load_mechanism, motion_difference
from mb_sensors import sensors_of

GRAVITY, ARM = np.array([0.0, 0.0, -9.81]), np.array([0.2, -0.1, 0.15])
RIGHT = np.array([0.1, 0.0, 0.0])       # where the coordinate `at` is on the body
FLYING = Mechanism(TORQUE_FREE | {'gravity': GRAVITY.tolist(), 'sensors': {
    'gyroscope': {'kind': 'gyroscope', 'body': 'box', 'sigma': 0.01},
    'accelerometer': {'kind': 'accelerometer', 'body': 'box', 'at': ARM.tolist(), 'sigma': 0.1},
}}, 'flying.yaml')
SIGMA, DT, PSD, ANGULAR_PSD = 5e-3, 2e-3, 400.0, 400.0
VARIANCES = {'start': [1e-4, 1e-4, 1e-2, 0.04, 1.0, 25.0]}     # place, turn, their rates and again
KINDS = [('platform_ekf', {'jerk_psd': PSD, 'angular_jerk_psd': ANGULAR_PSD}),
         ('platform_ekf', {'jerk_psd': PSD, 'angular_jerk_psd': ANGULAR_PSD,
                           'correction': 'sigma_points'}),
         ('kinematic_kf', {'acceleration_variance': PSD * DT})]
IDS = ['iterated', 'sigma_points', 'kinematic_kf']


class Flight:
    """A body whose accelerations, angular ones in its own frame, walk randomly; plain rotations."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.turn = Rotation.from_rotvec([0.3, -0.4, 0.5])
        self.place = np.array([1.0, 2.0, 3.0]) + self.turn.apply(RIGHT)
        self.velocity, self.acceleration = np.array([0.3, 0.0, 0.0]), np.array([1.0, -2.0, 0.5])
        self.w, self.a = np.array([0.2, 5.0, 0.1]), np.array([10.0, 2.0, -6.0])

    def move(self, dt, pieces=4):
        h = dt / pieces
        for _ in range(pieces):
            jerk, angular = self.random.normal(size=(2, 3)) * np.sqrt([[PSD / h],
                                                                       [ANGULAR_PSD / h]])
            self.place = (self.place + h * self.velocity + h ** 2 / 2.0 * self.acceleration
                          + h ** 3 / 6.0 * jerk)
            self.velocity = self.velocity + h * self.acceleration + h ** 2 / 2.0 * jerk
            self.acceleration = self.acceleration + h * jerk
            middle = self.w + h / 2.0 * self.a + h ** 2 / 8.0 * angular
            self.turn = self.turn * Rotation.from_rotvec(h * middle)
            self.w = self.w + h * self.a + h ** 2 / 2.0 * angular
            self.a = self.a + h * angular

    def readings(self, noise):
        """Return place, two axes, gyroscope and accelerometer, with so much of their noise."""
        axes, arm = self.turn.as_matrix(), ARM - RIGHT
        felt = self.turn.inv().apply(self.acceleration - GRAVITY) + np.cross(self.a, arm) + (
            np.cross(self.w, np.cross(self.w, arm)))
        ideal = np.concatenate([self.place, axes[:, 0], axes[:, 1], self.w, felt])
        return ideal + noise * np.repeat([SIGMA, 0.01, 0.1], [9, 3, 3]) * (
            self.random.normal(size=15))

    def off(self, estimate):
        """Return the error of an estimate, angular ones in the body's frame (18)."""
        turn = FLYING.body_motion('box', estimate.q, estimate.qd, estimate.qdd).rotation
        return np.concatenate([
            self.place - estimate.z[:3], (Rotation.from_matrix(turn.T) * self.turn).as_rotvec(),
            self.velocity - estimate.zd[:3], self.w - estimate.zd[3:],
            self.acceleration - estimate.zdd[:3], self.a - estimate.zdd[3:]])


def started(name, settings, flight, readings, random=None):
    """Return a filter with wrong positions and rates, as sure of them as they are drawn."""
    filter_ = make_filter(name, FLYING, readings, DT, gate=0.0,
                          initial_acceleration_variance=100.0, **settings)
    place, turn, rate, spin, force, twist = (np.full(3, v) for v in VARIANCES['start'])
    covariance = np.diag(np.concatenate([place, turn, rate, spin, 4.0 * force, 4.0 * twist]))
    error = np.zeros(12) if random is None else (
        np.sqrt(np.diag(covariance)[:12]) * random.normal(size=12))
    back = Rotation.from_rotvec(error[3:6]).inv()
    start = Rotation.from_rotvec([0.3, -0.4, 0.5])
    # By z, zd of the file's reference: s is the sine of the turn from there.
    turned = (start.inv() * flight.turn * back).as_matrix()
    sine = np.array([turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0],
                     turned[1, 0] - turned[0, 1]]) / 2.0
    rates = (np.trace(turned) * np.eye(3) - turned.T) / 2.0
    filter_.reset(np.concatenate([flight.place - error[:3], FLYING.z0[3:] + sine]),
                  np.concatenate([flight.velocity - error[6:9], rates @ (flight.w - error[9:])]),
                  covariance)
    return filter_


@pytest.mark.parametrize(('name', 'settings'), KINDS, ids=IDS)
def test_errors_of_a_tumbling_body_are_as_large_as_the_filter_says(name, settings):
    """Normalized error squared of pose, rates and accelerations, over 50 flights."""
    sensors = [*place_and_axes(FLYING), *sensors_of(FLYING, ['gyroscope', 'accelerometer'])]
    low, high = chi2.ppf([0.025, 0.975], 18)
    within, squares = [], []
    for seed in range(50):
        flight = Flight(seed)
        filter_ = started(name, settings, flight, sensors, flight.random)
        for _ in range(30):
            flight.move(DT)
            filter_.predict(DT)
            filter_.correct(flight.readings(1.0))
            off, estimate = flight.off(filter_.estimate), filter_.estimate
            squares.append(off @ np.linalg.solve(estimate.covariance, off))
            within.append(low < squares[-1] < high)
    assert 0.90 <= np.mean(within) <= 0.98


def apart(one, other):
    """Return how far an Estimate is from another, angular values in the bodies' frames (18)."""
    turns = [FLYING.body_motion('box', e.q, e.qd, e.qdd).rotation for e in (one, other)]
    return np.concatenate([
        one.z[:3] - other.z[:3], Rotation.from_matrix(turns[1].T @ turns[0]).as_rotvec(),
        one.zd - other.zd, one.zdd - other.zdd])


def test_the_covariance_grows_as_motions_move_apart():
    """A small P after steps is what central differences of the filter's own steps make of it."""
    filter_ = make_filter('platform_ekf', FLYING, place_and_axes(FLYING), DT, jerk_psd=1e-30,
                          angular_jerk_psd=1e-30)
    x = np.concatenate([FLYING.z0[:3], np.zeros(3), [0.3, 0.0, 0.0], [0.2, 5.0, 0.1],
                        [1.0, -2.0, 0.5], [30.0, 20.0, -40.0]])
    start, step = np.diag(np.repeat([1.0, 2.0, 1e3, 2e3, 1e5, 3e5], 3)) * 1e-12, 1e-4

    def moved(x):
        filter_.reset(x[:6], x[6:12])
        filter_._filter['x'][12:18], filter_._filter['P'][:18, :18] = x[12:], start
        before = filter_.estimate
        for _ in range(10):
            filter_.predict(DT)
        return before, filter_.estimate

    before, after = np.array([
        [apart(one, other) for one, other in zip(moved(x + step * d), moved(x - step * d),
                                                 strict=True)]
        for d in np.eye(18)]).transpose(1, 2, 0)
    F = after @ np.linalg.inv(before)
    first, last = moved(x)
    expected, found = F @ first.covariance @ F.T, last.covariance
    deviation = np.sqrt(np.diag(expected))
    np.testing.assert_allclose(found / np.outer(deviation, deviation),
                               expected / np.outer(deviation, deviation), atol=2e-3)


def test_an_angular_acceleration_stays_in_the_frame_of_the_body():
    """Over 1 s without readings and several turns, against plain rotations."""
    flight = Flight(0)
    filter_ = started('platform_ekf', {}, flight, place_and_axes(FLYING))
    filter_._filter['x'][12:18] = np.concatenate([flight.acceleration, flight.a])
    for _ in range(500):
        filter_.predict(DT)
        h = DT / 20
        for _ in range(20):
            flight.turn = flight.turn * Rotation.from_rotvec(h * (flight.w + h / 2.0 * flight.a))
            flight.w = flight.w + h * flight.a
    estimate = filter_.estimate
    turn = FLYING.body_motion('box', estimate.q, estimate.qd, estimate.qdd).rotation
    assert (Rotation.from_matrix(turn.T) * flight.turn).magnitude() < 1e-7
    np.testing.assert_allclose(estimate.zdd[3:], flight.a, atol=1e-9)


def test_without_turning_it_is_the_linear_filter():
    """Position, velocity and acceleration of a body that its place alone is read of."""
    filter_ = make_filter('platform_ekf', FLYING, place_and_axes(FLYING)[:3], DT, gate=0.0,
                          initial_variance=0.3, initial_acceleration_variance=5.0, jerk_psd=PSD)
    filter_.reset(FLYING.z0, np.zeros(6))
    F = np.array([[1.0, DT, DT ** 2 / 2.0], [0.0, 1.0, DT], [0.0, 0.0, 1.0]])
    Q = PSD * np.array([[DT ** 5 / 20.0, DT ** 4 / 8.0, DT ** 3 / 6.0],
                        [DT ** 4 / 8.0, DT ** 3 / 3.0, DT ** 2 / 2.0],
                        [DT ** 3 / 6.0, DT ** 2 / 2.0, DT]])
    x = np.array([FLYING.z0[:3], np.zeros(3), np.zeros(3)])
    P, random = np.diag([0.3, 0.3, 5.0]), np.random.default_rng(2)
    for _ in range(40):
        reading = FLYING.z0[:3] + random.normal(size=3) * 0.02
        x, P = F @ x, F @ P @ F.T + Q
        gain = P[:, 0] / (P[0, 0] + SIGMA ** 2)
        x, P = x + np.outer(gain, reading - x[0]), P - np.outer(gain, P[0])
        filter_.predict(DT)
        filter_.correct(reading)
    estimate = filter_.estimate
    np.testing.assert_allclose([estimate.z[:3], estimate.zd[:3], estimate.zdd[:3]], x, rtol=1e-9,
                               atol=1e-11)
    places = [0, 6, 12]
    np.testing.assert_allclose(estimate.covariance[np.ix_(places, places)], P, rtol=1e-9)


def test_a_jerk_of_an_orientation_is_refused():
    with pytest.raises(FilterError, match=r'torque_free: kinematic_kf: acceleration_model: jerk: '
                                          r'not with orientations \(box\).*expected random_walk'):
        make_filter('kinematic_kf', FLYING, place_and_axes(FLYING), DT, acceleration_model='jerk')


@pytest.mark.parametrize('turn', [[0.1, -0.15, 0.05], [0.0, 0.0, -0.4]])
def test_encoders_give_the_pose_of_a_stewart_platform_at_once(turn):
    """By forward kinematics, with the covariance J R J^T of place and rotation vector."""
    platform = load_mechanism('stewart')
    names = [f'length{k}' for k in range(1, 7)]
    q = platform.assemble(platform.z0 + np.array([0.03, -0.02, 0.04, *turn]))
    lengths = [platform.coordinates.index(name) for name in names]
    filter_ = make_filter('platform_ekf', platform, ['encoders'], 1e-3, initial_variance=1e3)
    readings = [q[lengths[names.index(f'length{sensor.name[-1]}')]] for sensor in filter_.sensors]
    filter_.correct(readings)
    estimate = filter_.estimate
    np.testing.assert_allclose(motion_difference(platform, (q, 0 * q), (estimate.q, 0 * q))[:6],
                               0.0, atol=1e-6)
    rates, legs = [], []
    for axis in np.eye(6):
        qd = platform.velocity(q, axis)
        body = platform.body_motion('platform', q, qd)
        rates.append([*axis[:3], *body.rotation.T @ body.angular_velocity])
        legs.append(qd[lengths])
    by_legs = np.linalg.inv(np.array(legs).T @ np.linalg.inv(np.array(rates).T))
    variance = filter_.sensors[0].settings.variance
    np.testing.assert_allclose(estimate.covariance[:6, :6], variance * by_legs @ by_legs.T,
                               rtol=1e-2, atol=2e-8)
