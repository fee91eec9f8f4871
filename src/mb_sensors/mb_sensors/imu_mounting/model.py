"""Readings of an IMU anywhere on a body in the plane, in any direction, as a function of x.

    x: place p (2) in the body's frame, orientation r, delay, biases of all channels
    a = R(r)^T ([fx, fy] + [-w^2, -w'; w', -w^2] p) + bias,   fx, fy: specific force at p = 0

Values (k, 4) are fx, fy, the angular rate w and acceleration w' of the body.  Source: Mohammad et
al. 2025, Eqs. (7)-(9), in the plane.
"""

import numpy as np

from mb_sensors.imu_mounting.unknowns import Unknowns

PLACE, ORIENTATION, DELAY, BIASES = slice(0, 2), 2, 3, 4        # in x


def expected_readings(channels, values, rates, x):
    """Return the expected readings (k, channels), and their slopes by x (k, channels, l).

    rates (k, 4): of the values.
    """
    (fx, fy, w, turning), (fx_rate, fy_rate, w_rate, turning_rate) = values.T, rates.T
    (px, py), c, s = x[PLACE], np.cos(x[ORIENTATION]), np.sin(x[ORIENTATION])
    ax, ay = fx - w * w * px - turning * py, fy + turning * px - w * w * py
    ax_rate = fx_rate - 2.0 * w * w_rate * px - turning_rate * py
    ay_rate = fy_rate + turning_rate * px - 2.0 * w * w_rate * py
    expected = np.tile(x[BIASES:], (len(values), 1))
    slopes = np.zeros((*expected.shape, len(x)))
    for k, (kind, axis) in enumerate(channels):
        slopes[:, k, BIASES + k] = 1.0
        if kind == 'gyroscope':
            expected[:, k] += w
            slopes[:, k, DELAY] = -w_rate
        elif axis in 'xy':
            u, v = (c, s) if axis == 'x' else (-s, c)
            expected[:, k] += u * ax + v * ay
            slopes[:, k, PLACE] = np.stack(
                [-u * w * w + v * turning, -u * turning - v * w * w], axis=1)
            slopes[:, k, ORIENTATION] = -v * ax + u * ay
            slopes[:, k, DELAY] = -(u * ax_rate + v * ay_rate)
    return expected, slopes


def linear_starts(channels, values, readings, _priors):
    """Return [(x, scale)]: an x near the best one, found without a start, and |cos r, sin r|.

    For cos r, sin r and R^T p as unknowns the readings (k, channels) are linear; no delay.  The
    scale is the accelerometer's, 1 if it is calibrated.
    """
    fx, fy, w, turning = values.T
    count = len(channels)
    columns, target = np.zeros((*readings.shape, 4 + count)), readings.copy()
    for k, (kind, axis) in enumerate(channels):
        columns[:, k, 4 + k] = 1.0
        if kind == 'gyroscope':
            target[:, k] -= w
        elif axis == 'x':
            columns[:, k, :4] = np.stack([fx, fy, -w * w, -turning], axis=1)
        elif axis == 'y':
            columns[:, k, :4] = np.stack([fy, -fx, turning, -w * w], axis=1)
    there = np.isfinite(readings)
    size = np.sqrt(np.mean(columns ** 2, axis=(0, 1))) + 1e-300
    found = np.linalg.lstsq((columns / size)[there], target[there], rcond=1e-9)[0]
    c, s, along, across = (found / size)[:4]
    r = np.arctan2(s, c)
    place = [np.cos(r) * along - np.sin(r) * across, np.sin(r) * along + np.cos(r) * across]
    return [(np.r_[place, r, 0.0, np.zeros(count)], float(np.hypot(c, s)))]


IN_PLANE = Unknowns(
    ('x', 'y', 'orientation', 'delay'), np.array([0.1, 0.1, 1.0, 0.01]), 2,      # m, rad, s
    {'x': 5e-3, 'y': 5e-3, 'orientation': 0.02}, linear_starts, expected_readings, np.add,
    lambda x: (float(np.arctan2(np.sin(x[ORIENTATION]), np.cos(x[ORIENTATION]))), np.eye(1)))
