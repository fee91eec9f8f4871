"""Tyres of the real car from recordings with known sideslip angle, by least squares.

Lateral and yaw acceleration of the truth say what forces both axles had, its velocity at which slip
angles.  Fiala's curve of each axle, and the angle between the car and the frame of the truth.
"""

from functools import partial

import numpy as np
from scipy.optimize import least_squares
from scipy.signal import butter, sosfiltfilt

NAME = 'racing_car'
STEP, CUTOFF = 0.01, 4.0                # s, Hz
FRONT, REAR, MASS = 1.33, 1.07, 982.0
INERTIA = MASS / 12.0 * (1.7 ** 2 + 4.09 ** 2)
SIGMA = 300.0                           # N
SCALE = np.array([1e5, 4e3, 1e5, 6e3, 1e-3, 1e-3])
NAMES = ('front_stiffness', 'front_grip', 'rear_stiffness', 'rear_grip')


def fit(parts):
    """Return the numbers of the tyres by parts of recordings, by their names in the mechanism."""
    samples = [np.concatenate(column) for column in zip(*map(_samples, parts), strict=True)]
    start = np.array([0.78, 1.07, 1.27, 0.99, 0.0, 0.0])
    solved = least_squares(partial(_residuals, samples), start, diff_step=1e-4)
    return dict(zip(NAMES, (solved.x * SCALE)[:4].tolist(), strict=True))


def _samples(part):
    """Return slips at both axles without offsets, forces of both, and steps of the offset (k)."""
    low_pass = butter(3, 2.0 * CUTOFF * STEP, output='sos')
    vx, vy, rate, steer = (sosfiltfilt(low_pass, part[name])
                           for name in ('vx', 'vy', 'yawRate', 'delta'))
    lateral, yaw = np.gradient(vy, STEP) + vx * rate, np.gradient(rate, STEP)
    length, used = FRONT + REAR, slice(20, -20, 5)
    return [column[used] for column in (
        steer - (vy + FRONT * rate) / vx, -(vy - REAR * rate) / vx,
        (MASS * lateral * REAR + INERTIA * yaw) / length,
        (MASS * lateral * FRONT - INERTIA * yaw) / length)]


def _force(stiffness, largest, s):
    """Return Fiala's force at tangents s of slip angles."""
    share = np.minimum(stiffness * abs(s) / (3.0 * largest), 1.0)
    return 3.0 * largest * share * (1.0 - share + share ** 2 / 3.0) * np.sign(s)


def _residuals(samples, scaled):
    front, rear, front_force, rear_force = samples
    c_front, l_front, c_rear, l_rear, steer_zero, turned = scaled * SCALE
    return np.concatenate([
        _force(c_front, l_front, np.tan(front + steer_zero - turned)) - front_force,
        _force(c_rear, l_rear, np.tan(rear - turned)) - rear_force]) / SIGMA
