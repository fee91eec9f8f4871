"""Filters of motion alone on bodies that turn freely: whole accelerations, carried over."""

from math import factorial

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from scipy.stats import chi2
from spatial_machines import TORQUE_FREE
from test_orientations import place_and_axes

from mb_estimators import make_filter
from mb_model import Mechanism, load_mechanism, motion_difference
from mb_sensors import sensors_of

GRAVITY, ARM = np.array([0.0, 0.0, -9.81]), np.array([0.2, -0.1, 0.15])
RIGHT = np.array([0.1, 0.0, 0.0])       # where the coordinate `at` is on the body
FLYING = Mechanism(TORQUE_FREE | {'gravity': GRAVITY.tolist(), 'sensors': {
    'gyroscope': {'kind': 'gyroscope', 'body': 'box', 'sigma': 0.01},
    'accelerometer': {'kind': 'accelerometer', 'body': 'box', 'at': ARM.tolist(), 'sigma': 0.1},
}}, 'flying.yaml')
SIGMA, DT, PSD, ANGULAR_PSD = 5e-3, 2e-3, 400.0, 400.0
SNAP_PSD, JERK = 4e5, 30.0              # of a jerk that walks; its deviation at the start
VARIANCES = {'start': [1e-4, 1e-4, 1e-2, 0.04, 1.0, 25.0]}     # place, turn, their rates and again
KINDS = [('platform_ekf', {'jerk_psd': PSD, 'angular_jerk_psd': ANGULAR_PSD}),
         ('platform_ekf', {'jerk_psd': PSD, 'angular_jerk_psd': ANGULAR_PSD,
                           'correction': 'sigma_points'}),
         ('kinematic_kf', {'acceleration_variance': PSD * DT}),
         ('kinematic_kf', {'acceleration_model': 'jerk', 'jerk_variance': SNAP_PSD * DT})]
IDS = ['iterated', 'sigma_points', 'kinematic_kf', 'jerk']


def taylor(values, h):
    """Return a value and its derivatives h [s] later, without the last of them."""
    return [sum(value * h ** i / factorial(i) for i, value in enumerate(values[order:]))
            for order in range(len(values) - 1)]


class Flight:
    """A body whose accelerations, angular ones in its own frame, walk randomly; plain rotations.

    jerky: their derivatives do.
    """

    def __init__(self, seed, jerky=False):
        self.random = np.random.default_rng(seed)
        self.turn = Rotation.from_rotvec([0.3, -0.4, 0.5])
        self.place = np.array([1.0, 2.0, 3.0]) + self.turn.apply(RIGHT)
        self.motion = [np.array([0.3, 0.0, 0.0]), np.array([1.0, -2.0, 0.5])]
        self.turning = [np.array([0.2, 5.0, 0.1]), np.array([10.0, 2.0, -6.0])]
        self.psd = [PSD, ANGULAR_PSD]
        if jerky:
            self.motion.append(JERK * self.random.normal(size=3))
            self.turning.append(JERK * self.random.normal(size=3))
            self.psd = [SNAP_PSD, SNAP_PSD]

    @property
    def velocity(self):
        return self.motion[0]

    @property
    def acceleration(self):
        return self.motion[1]

    @property
    def w(self):
        return self.turning[0]

    @property
    def a(self):
        return self.turning[1]

    def move(self, dt, pieces=4):
        h = dt / pieces
        for _ in range(pieces):
            noise = [np.sqrt(psd / h) * self.random.normal(size=3) for psd in self.psd]
            self.place, *self.motion = taylor([self.place, *self.motion, noise[0]], h)
            middle = taylor([*self.turning, noise[1]], h / 2.0)[0]
            self.turn = self.turn * Rotation.from_rotvec(h * middle)
            self.turning = taylor([*self.turning, noise[1]], h)

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
                          initial_acceleration_variance=JERK ** 2, **settings)
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
        flight = Flight(seed, 'acceleration_model' in settings)
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


@pytest.mark.parametrize(('name', 'settings'), [
    ('platform_ekf', {'jerk_psd': 1e-30, 'angular_jerk_psd': 1e-30}),
    ('kinematic_kf', {'acceleration_model': 'jerk', 'jerk_variance': 1e-30})],
    ids=['platform_ekf', 'jerk'])
def test_the_covariance_grows_as_motions_move_apart(name, settings):
    """A small P after steps is what central differences of the filter's own steps make of it."""
    filter_ = make_filter(name, FLYING, place_and_axes(FLYING), DT, **settings)
    jerks = [[5.0, -3.0, 2.0], [400.0, -900.0, 600.0]] if name == 'kinematic_kf' else []
    x = np.concatenate([FLYING.z0[:3], np.zeros(3), [0.3, 0.0, 0.0], [0.2, 5.0, 0.1],
                        [1.0, -2.0, 0.5], [30.0, 20.0, -40.0], *jerks])
    start, step = np.diag(np.repeat([1.0, 2.0, 1e3, 2e3, 1e5, 3e5, 1e7, 3e7][:len(x) // 3],
                                    3)) * 1e-12, 1e-4

    def moved(x):
        filter_.reset(x[:6], x[6:12])
        f, size = filter_._filter, len(x)
        f['x'][12:size], f['P'][:size, :size] = x[12:], start
        before = filter_.estimate, f['x'][18:size].copy()
        for _ in range(10):
            filter_.predict(DT)
        return before, (filter_.estimate, f['x'][18:size].copy())

    before, after = np.array([
        [np.concatenate([apart(one[0], other[0]), one[1] - other[1]])
         for one, other in zip(moved(x + step * d), moved(x - step * d), strict=True)]
        for d in np.eye(len(x))]).transpose(1, 2, 0)
    F = after @ np.linalg.inv(before)
    (first, _), (last, _) = moved(x)
    F, begin = F[:18], start.copy()
    begin[:18, :18] = first.covariance
    expected, found = F @ begin @ F.T, last.covariance
    deviation = np.sqrt(np.diag(expected))
    np.testing.assert_allclose(found / np.outer(deviation, deviation),
                               expected / np.outer(deviation, deviation), atol=2e-3)


@pytest.mark.parametrize(('name', 'settings', 'jerk'), [
    ('platform_ekf', {}, None),
    ('kinematic_kf', {'acceleration_model': 'jerk'}, [6.0, -9.0, 5.0])],
    ids=['platform_ekf', 'jerk'])
def test_an_angular_acceleration_stays_in_the_frame_of_the_body(name, settings, jerk):
    """Over 1 s without readings and several turns, against plain rotations; so does a jerk."""
    flight = Flight(0)
    filter_ = started(name, settings, flight, place_and_axes(FLYING))
    still = np.zeros(3)
    x = [flight.acceleration, flight.a, *([] if jerk is None else [still, jerk])]
    filter_._filter['x'][12:12 + 3 * len(x)] = np.concatenate(x)
    turning = [*flight.turning, still if jerk is None else np.array(jerk)]
    for _ in range(500):
        filter_.predict(DT)
        h = DT / 20
        for _ in range(20):
            flight.turn = flight.turn * Rotation.from_rotvec(
                h * taylor([*turning, still], h / 2.0)[0])
            turning = taylor([*turning, still], h)
    estimate = filter_.estimate
    turn = FLYING.body_motion('box', estimate.q, estimate.qd, estimate.qdd).rotation
    assert (Rotation.from_matrix(turn.T) * flight.turn).magnitude() < 1e-7
    np.testing.assert_allclose(estimate.zdd[3:], turning[1], atol=1e-9)


@pytest.mark.parametrize(('name', 'settings', 'orders'), [
    ('platform_ekf', {'jerk_psd': PSD}, 3),
    ('kinematic_kf', {'acceleration_model': 'jerk', 'jerk_variance': PSD * DT}, 4)],
    ids=['platform_ekf', 'jerk'])
def test_without_turning_it_is_the_linear_filter(name, settings, orders):
    """Position and its derivatives of a body that its place alone is read of."""
    filter_ = make_filter(name, FLYING, place_and_axes(FLYING)[:3], DT, gate=0.0,
                          initial_variance=0.3, initial_acceleration_variance=5.0, **settings)
    filter_.reset(FLYING.z0, np.zeros(6))
    F = np.array([[DT ** (j - i) / factorial(j - i) if j >= i else 0.0 for j in range(orders)]
                  for i in range(orders)])
    left = range(orders - 1, -1, -1)            # integrations from the noise
    Q = PSD * np.array([[DT ** (a + b + 1) / (factorial(a) * factorial(b) * (a + b + 1))
                         for b in left] for a in left])
    x = np.zeros((orders, 3))
    x[0] = FLYING.z0[:3]
    P, random = np.diag([0.3, 0.3, 5.0, 5.0][:orders]), np.random.default_rng(2)
    for _ in range(40):
        reading = FLYING.z0[:3] + random.normal(size=3) * 0.02
        x, P = F @ x, F @ P @ F.T + Q
        gain = P[:, 0] / (P[0, 0] + SIGMA ** 2)
        x, P = x + np.outer(gain, reading - x[0]), P - np.outer(gain, P[0])
        filter_.predict(DT)
        filter_.correct(reading)
    estimate = filter_.estimate
    np.testing.assert_allclose([estimate.z[:3], estimate.zd[:3], estimate.zdd[:3]], x[:3],
                               rtol=1e-9, atol=1e-11)
    places = [0, 6, 12]
    np.testing.assert_allclose(estimate.covariance[np.ix_(places, places)], P[:3, :3], rtol=1e-9)


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
