"""Readings of an IMU anywhere on a body, in any direction, as a function of unknowns x.

    x: offset p (3) in the body's frame, rotation vector r (3) of the IMU's axes, delay, biases b
    by channel, errors s of the scale by sensor
    a = (1 + s) R(r)^T (f + w' x p + w x (w x p)) + b,   g = (1 + s) R(r)^T w + b

Values (k, 9) are the specific force f at p = 0, the angular velocity w and acceleration w' of the
body, all in its frame.  Slopes are by turns about the IMU's own axes, R exp(change).  In the plane
z of the offset and two turns are zero, and not fitted.  Source: Mohammad et al. 2025, Eqs. (7)-(9),
in three dimensions.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from mb_model.arrays import FloatArray
from mb_sensors.sensor import Sensor

OFFSET, TURN, DELAY, BIASES = slice(0, 3), slice(3, 6), 6, 7         # in x
SIZES = np.array([0.1, 0.1, 0.1, 1.0, 1.0, 1.0, 0.01])  # errors count alike: m, rad, s
KINDS = ('accelerometer', 'gyroscope')


class Channel(NamedTuple):
    """A channel of an IMU: its name, its axis 'x', 'y' or 'z', the sensor's kind and number."""

    name: str
    axis: str
    kind: str
    sensor: int


def channels_of(sensors: Sequence[Sensor]) -> list[Channel]:
    """Return the Channels of an IMU's sensors; the only one of a gyroscope in the plane is z."""
    return [Channel(name, axis if axis in ('x', 'y', 'z') else 'z', sensor.kind, k)
            for k, sensor in enumerate(sensors)
            for name, axis in zip(sensor.channels, sensor.axes, strict=True)]


def _crossed(vectors: FloatArray) -> FloatArray:
    """Return matrices (k, 3, 3) of vectors (k, 3): matrix @ a is vector x a."""
    return np.cross(vectors[:, None, :], np.eye(3)).swapaxes(1, 2)


def by_offset(w: FloatArray, turning: FloatArray) -> FloatArray:
    """Return the matrices (k, 3, 3) by which the offset counts in the specific force."""
    spin = _crossed(w)
    return _crossed(turning) + spin @ spin


def expected_readings(channels: Sequence[Channel], values: FloatArray, rates: FloatArray,
                      x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the expected readings (k, channels), and their slopes by x (k, channels, l)."""
    f, w, turning = np.split(values, 3, axis=1)
    f_rate, w_rate, turning_rate = np.split(rates, 3, axis=1)
    into = Rotation.from_rotvec(x[TURN]).as_matrix().T
    arms = by_offset(w, turning)
    spin, spin_rate = _crossed(w), _crossed(w_rate)
    arms_rate = _crossed(turning_rate) + spin @ spin_rate + spin_rate @ spin
    force, force_rate = f + arms @ x[OFFSET], f_rate + arms_rate @ x[OFFSET]
    scales = BIASES + len(channels)
    expected = np.tile(x[BIASES:scales], (len(values), 1))
    slopes = np.zeros((*expected.shape, len(x)))
    for k, channel in enumerate(channels):
        number = 'xyz'.index(channel.axis)
        gain = 1.0 + x[scales + channel.sensor]
        row, whole, rate = into[number], *(
            (w, w_rate) if channel.kind == 'gyroscope' else (force, force_rate))
        expected[:, k] += gain * whole @ row
        slopes[:, k, BIASES + k] = 1.0
        slopes[:, k, scales + channel.sensor] = whole @ row
        slopes[:, k, DELAY] = -gain * rate @ row
        # (R exp(c))^T v = v' + v' x c, v' = R^T v
        slopes[:, k, TURN] = gain * _crossed(whole @ into.T)[:, number]
        if channel.kind != 'gyroscope':
            slopes[:, k, OFFSET] = gain * row @ arms
    return expected, slopes


def moved(x: FloatArray, change: FloatArray) -> FloatArray:
    """Return x after a change, whose turn is about the IMU's own axes."""
    moved = x + change
    moved[TURN] = (Rotation.from_rotvec(x[TURN])
                   * Rotation.from_rotvec(change[TURN])).as_rotvec()
    return moved


def difference(x: FloatArray, before: FloatArray) -> FloatArray:
    """Return the change from an x to x, see moved."""
    change = x - before
    change[TURN] = (Rotation.from_rotvec(before[TURN]).inv()
                    * Rotation.from_rotvec(x[TURN])).as_rotvec()
    return change


def roll_pitch_yaw(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return roll, pitch, yaw, and their slopes by turns about the IMU's own axes."""
    roll, pitch, yaw = Rotation.from_rotvec(x[TURN]).as_euler('xyz')
    s, c, tangent = np.sin(roll), np.cos(roll), np.tan(pitch)
    return np.array([roll, pitch, yaw]), np.array([
        [1.0, s * tangent, c * tangent], [0.0, c, -s],
        [0.0, s / np.cos(pitch), c / np.cos(pitch)]])


def angle_in_plane(x: FloatArray) -> float:
    """Return the angle of the IMU's x axis, from -pi to pi."""
    turn = x[TURN][2]
    return float(np.arctan2(np.sin(turn), np.cos(turn)))
