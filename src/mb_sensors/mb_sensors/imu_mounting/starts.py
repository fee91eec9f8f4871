"""Where the search for an IMU's mounting starts: orientations, and what is linear beside them."""

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.spatial.transform import Rotation

from mb_model.arrays import FloatArray
from mb_sensors.imu_mounting.model import BIASES, DELAY, OFFSET, TURN, Channel, by_offset

_NOISE = {'gyroscope': 0.01, 'accelerometer': 0.1}      # rad/s, m/s^2
_BELIEVED = 1e-3        # weight of the file's orientation beside readings of size 1
_MIRRORED = 0.2         # of the residual with right axes is left of mirrored ones
_IN_SPACE = 0.1         # share of the readings along the least seen direction that says so


def starts(channels: Sequence[Channel], values: FloatArray, readings: FloatArray,
           before: FloatArray, spread: FloatArray, dimension: int) -> Iterator[FloatArray]:
    """Yield some x near the best one, at no delay.

    values (k, 9) of a BodyMotion, readings (k, channels); before: x of the file; spread: standard
    deviations of what that says.  Of orientations the file's, and where it can be had the one by
    gravity and rates; the rest is linear.
    """
    yield _linear(channels, values, readings, before, spread, Rotation.from_rotvec(before[TURN]))
    if dimension == 2:
        yield _in_plane(channels, values, readings, before)
        return
    for centred in (False, True):
        seen = list(_pairs(channels, values, readings, centred))
        if seen:
            u, _, v = _correlated(seen, before)
            turn = Rotation.from_matrix(u @ np.diag([1.0, 1.0, np.linalg.det(u @ v)]) @ v)
            yield _linear(channels, values, readings, before, spread, turn)


def is_mirrored(channels: Sequence[Channel], values: FloatArray, readings: FloatArray,
                before: FloatArray) -> bool:
    """Return whether axes of which one has the wrong sign explain the readings, and no turn does.

    values and readings as in starts, of any delay.
    """
    seen = list(_pairs(channels, values, readings, centred=False))
    if not seen:
        return False
    u, sizes, v = _correlated(seen, before)
    if np.linalg.det(u @ v) > 0.0 or sizes[2] < _IN_SPACE * sizes[0]:
        return False
    true, read = (np.vstack(part) for part in zip(*seen, strict=True))
    left = [np.sum((read - true @ u @ np.diag([1.0, 1.0, sign]) @ v) ** 2) for sign in (1.0, -1.0)]
    return bool(left[0] < _MIRRORED * left[1])


def _pairs(channels: Sequence[Channel], values: FloatArray, readings: FloatArray, centred: bool
           ) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield (true, seen), both (k, 3) in units of the true size, of kinds with three axes.

    With their means gravity decides what small turns about one axis leave open; without them
    biases do not count.
    """
    f, w, _ = np.split(values, 3, axis=1)
    for number in sorted({channel.sensor for channel in channels}):
        own = {one.axis: k for k, one in enumerate(channels) if one.sensor == number}
        if len(own) == 3:
            columns = [own[axis] for axis in 'xyz']
            whole = w if channels[columns[0]].kind == 'gyroscope' else f
            there = np.isfinite(readings[:, columns]).all(axis=1)
            seen, known = readings[there][:, columns], whole[there]
            if centred:
                seen, known = seen - seen.mean(axis=0), known - known.mean(axis=0)
            size = np.sqrt(np.mean(known ** 2)) * np.sqrt(len(known)) + 1e-300
            yield known / size, seen / size


def _correlated(pairs: Sequence[tuple[FloatArray, FloatArray]], before: FloatArray
                ) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return u, s, v of sum true seen^T, and of what the file believes: Kabsch 1976."""
    whole = sum(true.T @ seen for true, seen in pairs)
    return np.linalg.svd(whole + _BELIEVED * Rotation.from_rotvec(before[TURN]).as_matrix())


def _linear(channels: Sequence[Channel], values: FloatArray, readings: FloatArray,
            before: FloatArray, spread: FloatArray, turn: Rotation) -> FloatArray:
    """Return x of a turn: without delay and errors of the scale, readings are linear in the rest.
    """
    f, w, turning = np.split(values, 3, axis=1)
    x, count = before.copy(), len(channels)
    x[TURN], x[DELAY] = turn.as_rotvec(), 0.0
    into, arms = turn.as_matrix().T, by_offset(w, turning)
    columns, target = np.zeros((*readings.shape, 3 + count)), readings.copy()
    for k, channel in enumerate(channels):
        row = into['xyz'.index(channel.axis)]
        columns[:, k, 3 + k] = 1.0
        target[:, k] -= (w if channel.kind == 'gyroscope' else f) @ row
        if channel.kind != 'gyroscope':
            columns[:, k, :3] = row @ arms
    noise = np.array([_NOISE[channel.kind] for channel in channels])
    there, own = np.isfinite(readings), np.r_[0:3, BIASES:BIASES + count]
    rows, known = (columns / noise[:, None])[there], np.maximum(spread[own], 1e-9) ** -2.0
    solution = np.linalg.solve(rows.T @ rows + np.diag(known),
                               rows.T @ (target / noise)[there] + known * before[own])
    x[OFFSET], x[BIASES:BIASES + count] = solution[:3], solution[3:]
    return x


def _in_plane(channels: Sequence[Channel], values: FloatArray, readings: FloatArray,
              before: FloatArray) -> FloatArray:
    """Return x in the plane: in cos r, sin r and R^T p readings (k, channels) are linear."""
    fx, fy, w, turning = values[:, [0, 1, 5, 8]].T
    count = len(channels)
    columns, target = np.zeros((*readings.shape, 4 + count)), readings.copy()
    for k, channel in enumerate(channels):
        columns[:, k, 4 + k] = 1.0
        if channel.kind == 'gyroscope':
            target[:, k] -= w
        elif channel.axis == 'x':
            columns[:, k, :4] = np.stack([fx, fy, -w * w, -turning], axis=1)
        elif channel.axis == 'y':
            columns[:, k, :4] = np.stack([fy, -fx, turning, -w * w], axis=1)
    there = np.isfinite(readings)
    size = np.sqrt(np.mean(columns ** 2, axis=(0, 1))) + 1e-300
    solution = np.linalg.lstsq((columns / size)[there], target[there], rcond=1e-9)[0]
    c, s, along, across = (solution / size)[:4]
    x, r = before.copy(), np.arctan2(s, c)
    x[:2] = np.cos(r) * along - np.sin(r) * across, np.sin(r) * along + np.cos(r) * across
    x[5], x[DELAY] = r, 0.0
    return x
