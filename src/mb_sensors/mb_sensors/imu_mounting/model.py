"""Readings of an IMU anywhere on a body, in any direction, as a function of unknowns x.

    x: place p (2) in the body's frame, orientation r, delay, biases of all channels
    a = R(r)^T ([fx, fy] + [-w^2, -w'; w', -w^2] p) + bias,   fx, fy: specific force at p = 0

Values (k, 4) are fx, fy, the angular rate w and acceleration w' of the body; axes: 'x', 'y', 'z' of
accelerometer channels, '' of a rate.  Source: Mohammad et al. 2025, Eqs. (7)-(9), in the plane.
"""

import numpy as np

PLACE, ORIENTATION, DELAY, BIASES = slice(0, 2), 2, 3, 4        # in x


def expected_readings(axes, values, rates, x):
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
    for k, axis in enumerate(axes):
        slopes[:, k, BIASES + k] = 1.0
        if axis == '':
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


def linear_start(axes, values, readings):
    """Return (x, scale): an x near the best one, found without a start, and |cos r, sin r|.

    For cos r, sin r and R^T p as unknowns the readings (k, channels) are linear; no delay.  The
    scale is the accelerometer's, 1 if it is calibrated.
    """
    fx, fy, w, turning = values.T
    count, channels = readings.shape
    columns, target = np.zeros((count, channels, 4 + channels)), readings.copy()
    for k, axis in enumerate(axes):
        columns[:, k, 4 + k] = 1.0
        if axis == '':
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
    return np.r_[place, r, 0.0, np.zeros(channels)], float(np.hypot(c, s))
