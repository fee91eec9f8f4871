"""Readings of an IMU anywhere on a body, in any direction, as a function of unknowns x.

    x: offset p (3) in the body's frame, rotation vector r (3) of the IMU's axes, delay, biases
    a = R(r)^T (f + w' x p + w x (w x p)) + bias,   g = R(r)^T w + bias

Values (k, 9) are the specific force f at p = 0, the angular velocity w and acceleration w' of the
body, all in its frame.  Slopes are by turns about the IMU's own axes, R exp(change).  In the plane
z of the offset and two turns are zero, and not fitted.  Source: Mohammad et al. 2025, Eqs. (7)-(9),
in three dimensions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from mb_model.arrays import FloatArray
from mb_sensors.kind_parts.sensor_kind import SensorError

OFFSET, TURN, DELAY, BIASES = slice(0, 3), slice(3, 6), 6, 7         # in x
SIZES = np.array([0.1, 0.1, 0.1, 1.0, 1.0, 1.0, 0.01])  # errors count alike: m, rad, s
_IN_PLANE = [0, 1, 5, 8]        # of values: what is not zero there


@dataclass(frozen=True)
class Unknowns:
    """Which of the unknowns x are fitted, beside a bias of each channel.

    names: of these, the delay last; numbers: of these in x; doubtful: name -> deviation that is too
    large.
    starts(channels, values, readings, priors): [(x near the best one, scale of the accelerometer)],
    found without a start; priors: deviations (3 + c + 1) of offset, biases and scale before
    the fit; raises SensorError;
    orientation(x): as in mechanism files, and its slopes (r, r) by changes of x.
    Channels are (kind of the sensor, axis).
    """

    names: tuple[str, ...]
    numbers: tuple[int, ...]
    doubtful: dict[str, float]
    starts: Callable
    orientation: Callable

    @property
    def offsets(self) -> int:
        """How many numbers a offset has."""
        return len(self.names) // 2


def _crossed(vectors: FloatArray):
    """Return matrices (k, 3, 3) of vectors (k, 3): matrix @ a is vector x a."""
    return np.cross(vectors[:, None, :], np.eye(3)).swapaxes(1, 2)


def _by_offset(w: FloatArray, turning: FloatArray):
    """Return the matrices (k, 3, 3) by which the offset counts in the specific force."""
    spin = _crossed(w)
    return _crossed(turning) + spin @ spin


def expected_readings(channels: Sequence[tuple[str, str]], values: FloatArray, rates: FloatArray,
                      x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the expected readings (k, channels), and their slopes by x (k, channels, l)."""
    f, w, turning = np.split(values, 3, axis=1)
    f_rate, w_rate, turning_rate = np.split(rates, 3, axis=1)
    into = Rotation.from_rotvec(x[TURN]).as_matrix().T
    arms = _by_offset(w, turning)
    spin, spin_rate = _crossed(w), _crossed(w_rate)
    arms_rate = _crossed(turning_rate) + spin @ spin_rate + spin_rate @ spin
    force, force_rate = f + arms @ x[OFFSET], f_rate + arms_rate @ x[OFFSET]
    expected = np.tile(x[BIASES:], (len(values), 1))
    slopes = np.zeros((*expected.shape, len(x)))
    for k, (kind, axis) in enumerate(channels):
        row, whole, rate = into['xyz'.index(axis)], *(
            (w, w_rate) if kind == 'gyroscope' else (force, force_rate))
        expected[:, k] += whole @ row
        slopes[:, k, BIASES + k] = 1.0
        slopes[:, k, DELAY] = -rate @ row
        # (R exp(c))^T v = v' + v' x c, v' = R^T v
        slopes[:, k, TURN] = _crossed(whole @ into.T)[:, 'xyz'.index(axis)]
        if kind != 'gyroscope':
            slopes[:, k, OFFSET] = row @ arms
    return expected, slopes


def starts_in_space(channels: Sequence[tuple[str, str]], values: FloatArray, readings: FloatArray,
                    priors: FloatArray):
    """Return [(x, scale)]: x near the best one, found without a start, and |A| of a = A f.

    The turn from three axes of a gyroscope and of an accelerometer together, with their means
    (gravity decides what small turns about one axis leave open) and without (biases do not count),
    by Kabsch 1976; then readings are linear in place and biases, about which priors are known.
    Raises SensorError without three axes of either.
    """
    f, w, _ = np.split(values, 3, axis=1)
    turns = []
    for centred in (False, True):
        pairs = list(_pairs(channels, {'gyroscope': w, 'accelerometer': f}, readings, centred))
        if not pairs:
            raise SensorError('gyroscope or accelerometer: one with three axes is needed in space')
        turns.append(_turned(np.vstack([true for true, _ in pairs]),
                             np.vstack([seen for _, seen in pairs])))
    return [_linear(channels, values, readings, priors, turn) for turn in turns]


def _pairs(channels: Sequence[tuple[str, str]], true: Mapping[str, FloatArray],
           readings: FloatArray, centred: bool):
    """Yield (true, seen), both (k, 3) in units of the true size, of kinds with three axes."""
    for kind, whole in true.items():
        columns = [channels.index((kind, axis)) for axis in 'xyz' if (kind, axis) in channels]
        if len(columns) == 3:
            there = np.isfinite(readings[:, columns]).all(axis=1)
            seen, known = readings[there][:, columns], whole[there]
            if centred:
                seen, known = seen - seen.mean(axis=0), known - known.mean(axis=0)
            size = np.sqrt(np.mean(known ** 2)) * np.sqrt(len(known)) + 1e-300
            yield known / size, seen / size


def _turned(true: FloatArray, seen: FloatArray):
    """Return the Rotation that takes seen (k, 3) to true, by Kabsch 1976."""
    u, _, v = np.linalg.svd(true.T @ seen)
    return Rotation.from_matrix(u @ np.diag([1.0, 1.0, np.linalg.det(u @ v)]) @ v)


def _linear(channels: Sequence[tuple[str, str]], values: FloatArray, readings: FloatArray,
            priors: FloatArray, turn: Rotation):
    """Return (x, scale) of a turn: readings are linear in the offset, the biases and the scale."""
    f, w, turning = np.split(values, 3, axis=1)
    x = np.r_[np.zeros(3), turn.as_rotvec(), 0.0, np.zeros(len(channels))]
    into, arms = turn.as_matrix().T, _by_offset(w, turning)
    columns, target = np.zeros((*readings.shape, 4 + len(channels))), readings.copy()
    for k, (kind, axis) in enumerate(channels):
        row = into['xyz'.index(axis)]
        columns[:, k, 4 + k] = 1.0
        if kind == 'gyroscope':
            target[:, k] -= w @ row
        else:       # s f + arms p with p times the scale s
            columns[:, k, :3], columns[:, k, 3] = row @ arms, f @ row
    noise = np.where([kind == 'gyroscope' for kind, _ in channels], 0.01, 0.1)   # rad/s, m/s^2
    there = np.isfinite(readings)
    known = 1.0 / np.r_[priors[:3], priors[-1], priors[3:-1]]
    solution = np.linalg.lstsq(
        np.vstack([(columns / noise[:, None])[there], np.diag(known)]),
        np.r_[(target / noise)[there], 0.0, 0.0, 0.0, known[3], np.zeros(len(channels))])[0]
    x[OFFSET], x[BIASES:] = solution[:3], solution[4:]
    return x, float(solution[3])


def moved(x: FloatArray, change: FloatArray):
    """Return x after a change, whose turn is about the IMU's own axes."""
    moved = x + change
    moved[TURN] = (Rotation.from_rotvec(x[TURN])
                    * Rotation.from_rotvec(change[TURN])).as_rotvec()
    return moved


def _roll_pitch_yaw(x: FloatArray):
    """Return roll, pitch, yaw, and their slopes by turns about the IMU's own axes."""
    roll, pitch, yaw = Rotation.from_rotvec(x[TURN]).as_euler('xyz')
    s, c, tangent = np.sin(roll), np.cos(roll), np.tan(pitch)
    return np.array([roll, pitch, yaw]), np.array([
        [1.0, s * tangent, c * tangent], [0.0, c, -s],
        [0.0, s / np.cos(pitch), c / np.cos(pitch)]])


def starts_in_plane(channels: Sequence[tuple[str, str]], values: FloatArray, readings: FloatArray,
                    _priors: FloatArray):
    """Return [(x, scale)]: an x near the best one, found without a start, and |cos r, sin r|.

    For cos r, sin r and R^T p as unknowns the readings (k, channels) are linear; no delay.  The
    scale is the accelerometer's, 1 if it is calibrated.
    """
    fx, fy, w, turning = values[:, _IN_PLANE].T
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
    solution = np.linalg.lstsq((columns / size)[there], target[there], rcond=1e-9)[0]
    c, s, along, across = (solution / size)[:4]
    r = np.arctan2(s, c)
    offset = [np.cos(r) * along - np.sin(r) * across, np.sin(r) * along + np.cos(r) * across]
    return [(np.r_[offset, 0.0, 0.0, 0.0, r, 0.0, np.zeros(count)], float(np.hypot(c, s)))]


def _angle(x: FloatArray):
    """Return the angle of the IMU's x axis, from -pi to pi, and its slope."""
    turn = x[TURN][2]
    return float(np.arctan2(np.sin(turn), np.cos(turn))), np.eye(1)


IN_PLANE = Unknowns(
    ('x', 'y', 'orientation', 'delay'), (0, 1, 5, 6),
    {'x': 5e-3, 'y': 5e-3, 'orientation': 0.02}, starts_in_plane, _angle)
IN_SPACE = Unknowns(
    ('x', 'y', 'z', 'turn about x', 'turn about y', 'turn about z', 'delay'), tuple(range(7)),
    {**dict.fromkeys('xyz', 5e-3), **{f'turn about {axis}': 0.02 for axis in 'xyz'}},
    starts_in_space, _roll_pitch_yaw)
