"""Mechanisms whose motion is linear in time, and the Kalman filters of textbooks for them."""

from filter_traits import (
    ACCELERATIONS,
    DEPENDENT,
    KINEMATIC,
    WALKS,
    known_parameters,
    own_settings,
)
import numpy as np

from mb_estimators import make_filter
from mb_model import Mechanism

FLYWHEEL = Mechanism({
    'name': 'flywheel', 'gravity': [0.0, 0.0],
    'points': {'O': {'fixed': [0.0, 0.0]}, 'P': {'start': [1.0, 0.0]}},
    'bodies': {'wheel': {'points': ['O', 'P'], 'length': 1.0, 'mass': 3.0}},
    'coordinates': {'theta': {'kind': 'angle', 'body': 'wheel'}},
    'independent': ['theta'], 'start': {'theta': 0.3}, 'start_velocity': {'theta': 2.0},
    'sensors': {'encoder': {'kind': 'angle_encoder', 'body': 'wheel', 'sigma': 0.02},
                'gyro': {'kind': 'gyroscope', 'body': 'wheel', 'sigma': 0.05}}}, 'flywheel.yaml')

# Across gravity, without friction; the sensors read the same position.
SLED = Mechanism({
    'name': 'sled', 'gravity': [0.0, -9.81],
    'points': {'A': {'fixed': [0.0, 0.0]}, 'E': {'fixed': [1.0, 0.0]},
               'B': {'start': [0.5, 0.0]}, 'F': {'start': [0.7, 0.0]}},
    'bodies': {'block': {'points': ['B', 'F'], 'length': 0.2, 'mass': 4.0}},
    'coordinates': {'s': {'kind': 'slider', 'point': 'B', 'along': ['A', 'E']}},
    'constraints': {'front': {'kind': 'slider', 'point': 'F', 'along': ['A', 'E']},
                    'back': {'kind': 'slider', 'point': 'B', 'along': ['A', 'E']}},
    'independent': ['s'], 'start': {'s': 0.3}, 'start_velocity': {'s': 2.0},
    'sensors': {'encoder': {'kind': 'linear_encoder', 'coordinate': 's', 'sigma': 0.02},
                'other': {'kind': 'linear_encoder', 'coordinate': 's', 'sigma': 0.05}}},
    'sled.yaml')

SLED_IN_SPACE = Mechanism({
    'name': 'sled_in_space', 'dimension': 3, 'gravity': [0.0, -9.81, 0.0],
    'bodies': {'block': {'mass': 4.0, 'centre_of_gravity': [0.1, 0.0, 0.05],
                         'inertia': [0.1, 0.2, 0.25]}},
    'joints': {'guide': {'kind': 'prismatic', 'bodies': ['ground', 'block'],
                         'at': [[0.2, 0.1, 0.0], [0.0, 0.0, 0.0]], 'axis': [0.6, 0.0, 0.8]}},
    'coordinates': {'s': {'kind': 'slider', 'joint': 'guide'}},
    'independent': ['s'], 'start': {'s': 0.3}, 'start_velocity': {'s': 2.0},
    'sensors': {'encoder': {'kind': 'linear_encoder', 'coordinate': 's', 'sigma': 0.02},
                'other': {'kind': 'linear_encoder', 'coordinate': 's', 'sigma': 0.05}}},
    'sled_in_space.yaml')


class TextbookFilter:
    """The linear Kalman filter, written with plain matrices (Simon 2006, Sec. 5.1).

    States: z, zd with white noise of the accelerations; or zdd too, which walks randomly; then
    biases, which walk by the densities `walks`.
    H (k, 2 + biases): what is read of z, zd and biases; correlated: whether the noises of z and zd
    belong together.
    """

    def __init__(self, x, P, noise, H, R, correlated=True, walks=()):
        self.x, self.P, self.noise, self.H, self.R = x, P, noise, H, R
        self.correlated, self.walks, self.motion = correlated, walks, len(x) - len(walks)

    def predict(self, h):
        F, Q, k = np.eye(len(self.x)), np.zeros_like(self.P), self.motion
        F[:k, :k] = np.array([[1.0, h, h ** 2 / 2.0], [0.0, 1.0, h], [0.0, 0.0, 1.0]])[:k, :k]
        Q[:k, :k] = self.noise * self.plant_noise(h)
        Q[k:, k:] = np.diag(self.walks) * h
        self.x, self.P = F @ self.x, F @ self.P @ F.T + Q

    def plant_noise(self, h):
        if self.motion == 3:
            return np.diag([0.0, 0.0, h])
        mixed = h ** 2 / 2.0 * self.correlated
        return np.array([[h ** 3 / 3.0, mixed], [mixed, h]])

    def correct(self, reading):
        there = np.isfinite(reading)
        H, R = np.zeros((there.sum(), len(self.x))), self.R[there][:, there]
        H[:, :2], H[:, self.motion:] = self.H[there, :2], self.H[there, 2:]
        S = H @ self.P @ H.T + R
        K = self.gain(H, R)
        y = reading[there] - H @ self.x
        left = np.eye(len(self.x)) - K @ H
        self.x, self.P = self.x + K @ y, left @ self.P @ left.T + K @ R @ K.T
        return y, S, y @ np.linalg.inv(S) @ y

    def gain(self, H, R):
        return self.P @ H.T @ np.linalg.inv(H @ self.P @ H.T + R)


class AccelerationTextbook(TextbookFilter):
    """The same with the gain of a filter of accelerations: all noise is the last one's.

    What is not known of biases counts as noise of their readings; their own gain is the best one.
    """

    acceleration_variance = None

    def predict(self, h):
        super().predict(h)
        self.reach = np.array([[h ** 2 / 4.0], [h / 2.0]])

    def gain(self, H, R):
        K = super().gain(H, R)
        P, H, biased = self.acceleration_variance * self.reach @ self.reach.T, H[:, :2], H[:, 2:]
        unknown = np.diag(np.diagonal(biased @ self.P[2:, 2:] @ biased.T))
        K[:2] = P @ H.T @ np.linalg.inv(H @ P @ H.T + R + unknown)
        return K


class JerkTextbook(TextbookFilter):
    """The same with an acceleration that is the integral of white noise: Simon 2006, Sec. 8.1."""

    def plant_noise(self, h):
        series = np.array([h ** 2 / 2.0, h, 1.0])       # of an impulse at the time h before the end
        powers = np.array([2, 1, 0])
        return np.outer(series, series) * h / (powers[:, None] + powers + 1.0)


def filter_and_textbook(name, mechanism, sensors, dt, noise, variance, H, deviations,
                        biases=(), walks=()):
    """Return a filter with white noise of the accelerations, and the textbook's of the same start.

    noise: its density; variance: of each state of the motion at the start; H, deviations: see
    TextbookFilter, of readings; biases: deviations at the start.
    """
    walking = name in WALKS
    tuning = own_settings(name, {
        'acceleration_psd': noise, 'jerk_psd': noise, 'angular_jerk_psd': noise, 'gamma': 1e9,
        'dependent_variance': 1e8, 'constraint_tolerance': 1e-9,
        **({'acceleration_variance': noise * dt} if walking else {}),
        **({'initial_acceleration_variance': variance} if name in KINEMATIC else {})})
    filter_ = make_filter(name, mechanism, sensors, dt, initial_variance=variance, **tuning,
                          **known_parameters(name))
    kind = AccelerationTextbook if name in ACCELERATIONS else (
        JerkTextbook if name in KINEMATIC else TextbookFilter)
    start = [*mechanism.z0, *mechanism.zd0, *walking * [0.0]]
    textbook = kind(np.array([*start, *len(biases) * [0.0]]),
                    np.diag([*len(start) * [variance], *np.square(biases)]), noise, H,
                    np.diag(np.square(deviations)), name not in DEPENDENT, walks)
    textbook.acceleration_variance = getattr(filter_.settings, 'acceleration_variance', None)
    return filter_, textbook
