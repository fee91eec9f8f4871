"""What a motion does not show of an IMU's mounting, and what contradicts the file, in words."""

from collections.abc import Iterator

import numpy as np
from scipy.spatial.transform import Rotation

from mb_model.arrays import FloatArray
from mb_sensors.imu_mounting.model import BIASES, DELAY, OFFSET, TURN
from mb_sensors.imu_mounting.problem import Problem
from mb_sensors.imu_mounting.settings import MountingFitSettings

_OPEN = 0.9                     # share of a deviation before: nothing was learnt
_TURNED = 0.35                  # rad against the file that is said
_DOWN = -0.9                    # cosine of the axis that points up against the file's
_SCALE = 0.25                   # error of a scale that no calibration has
_SURE = 0.1                     # share of a scale's error that its deviation is, where judged
_PART = 0.2                     # of a direction that counts
_UNITS = ((1.0 / 9.80665, 'g in place of m/s^2'), (9.80665, 'm/s^2, multiplied by g twice'),
          (180.0 / np.pi, 'degrees in place of rad'), (np.pi / 180.0, 'rad, taken for degrees'))


def notes_of(problem: Problem, x: FloatArray, covariance: FloatArray,
             settings: MountingFitSettings) -> Iterator[str]:
    """Yield sentences about the x of a Problem and its covariance."""
    names = ', '.join(sensor.name for sensor in problem.sensors)
    yield from (f'{names}: {note}' for note in (
        *_left_open(problem, covariance), *_turned(problem, x), *_late(
            problem, x, covariance, settings)))


def contradictions_of(problem: Problem, x: FloatArray) -> Iterator[str]:
    """Yield why no mounting explains the readings: an axis, or a unit."""
    if problem.mirrored(x):
        names = ', '.join(sensor.name for sensor in problem.sensors)
        yield (f'{names}: one axis has the wrong sign, or two are exchanged: no orientation '
               'explains the readings')
    yield from _scales(problem, x)


def _left_open(problem: Problem, covariance: FloatArray) -> Iterator[str]:
    """Yield what of position and orientation the readings do not say."""
    own = np.flatnonzero(problem.free[:DELAY])
    if not len(own):
        return
    sizes = problem.believed[own]
    values, vectors = np.linalg.eigh(covariance[np.ix_(own, own)] / np.outer(sizes, sizes))
    for vector in _along_axes(vectors[:, values > _OPEN ** 2]):
        whole = np.zeros(DELAY)
        whole[own] = vector * sizes
        where, turn = whole[OFFSET], whole[TURN]
        parts = [text for text, part, size in (
            (f'the position along {_direction(where)} of the body', where, vector[own < 3]),
            (f'the turn about {_direction(turn)} of its own axes', turn, vector[own >= 3]))
            if len(size) and np.linalg.norm(size) > _PART]
        yield (f'{" and ".join(parts)}: not shown by this motion, the file decides; turn the body '
               'faster, to and fro, about other axes too')


def _along_axes(vectors: FloatArray) -> Iterator[FloatArray]:
    """Yield an orthonormal basis of the space of vectors (n, r), along axes that lie in it.

    Of a plane any other two directions would do, and rounding would choose them.
    """
    within = vectors @ vectors.T
    for _ in range(vectors.shape[1]):
        k = int(np.argmax(np.round(np.diagonal(within), 6)))
        one = within[:, k] / np.sqrt(within[k, k])
        within = within - np.outer(one, one)
        yield one


def _direction(vector: FloatArray) -> str:
    size = np.linalg.norm(vector)
    unit = vector / (size if size > 0.0 else 1.0)
    unit = unit * (1.0 if unit[np.argmax(np.abs(unit))] >= 0.0 else -1.0)
    return f'({", ".join(f"{part + 0.0:.2g}" if abs(part) > 5e-3 else "0" for part in unit)})'


def _turned(problem: Problem, x: FloatArray) -> Iterator[str]:
    """Yield by what the IMU is turned against the file, if it is much."""
    before = Rotation.from_rotvec(problem.before[TURN])
    turn = before.inv() * Rotation.from_rotvec(x[TURN])
    angle = turn.magnitude()
    if angle > _TURNED:
        axis = before.apply(turn.as_rotvec() / angle)
        up = problem.dimension - 1      # y in the plane, z in space
        down = ', upside down' if turn.as_matrix()[up, up] < _DOWN else ''
        yield (f'turned by {angle:.4g} rad about {_direction_as_is(axis)} of the body against the '
               f'file{down}')


def _direction_as_is(unit: FloatArray) -> str:
    return f'({", ".join("0" if abs(part) < 5e-3 else f"{part:.2g}" for part in unit)})'


def _late(problem: Problem, x: FloatArray, covariance: FloatArray, settings: MountingFitSettings
          ) -> Iterator[str]:
    """Yield that stamps are later than was looked for, or that nothing shows them."""
    if not problem.free[DELAY]:
        return
    if abs(x[DELAY]) > 0.99 * settings.longest_delay:
        yield (f'delay: {abs(x[DELAY]):.3g} s or more; stamps of IMU and motion do not belong '
               'together')
    elif np.sqrt(covariance[DELAY, DELAY]) > _OPEN * settings.longest_delay:
        yield 'delay: this motion says nothing of it'


def _scales(problem: Problem, x: FloatArray) -> Iterator[str]:
    """Yield which sensors read a multiple of what they should."""
    residual, slopes = problem.rows(x)
    scales = BIASES + len(problem.channels)
    for k, sensor in enumerate(problem.sensors):
        own = [n for n, channel in enumerate(problem.channels) if channel.sensor == k]
        there = np.isfinite(residual[:, own])
        slope, left = slopes[:, own, scales + k][there], residual[:, own][there]
        square = float(slope @ slope) + 1e-300
        change = float(slope @ left) / square
        error = x[scales + k] + change
        is_sure = np.std(left - change * slope) < _SURE * abs(error) * np.sqrt(square)
        if is_sure and abs(error) > _SCALE:
            unit = next((f': in {text}?' for size, text in _UNITS
                         if abs((1.0 + error) / size - 1.0) < 0.1), '')
            yield f'{sensor.name} reads {1.0 + error:.3g} of what it should{unit}'
