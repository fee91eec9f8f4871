"""Position and direction of an IMU on its body, by least squares on its readings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_model import Settings, setting
from mb_model.arrays import FloatArray, IntArray
from mb_sensors.covariance_fit import fit_covariance
from mb_sensors.imu_mounting.body_motion import BodyMotion
from mb_sensors.imu_mounting.model import (
    BIASES,
    DELAY,
    OFFSET,
    SIZES,
    Unknowns,
    expected_readings,
    moved,
)
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sensor import Sensor


@dataclass(frozen=True)
class MountingFitSettings(Settings):
    """The used part of a recording, and what is fitted beside the mounting."""

    settling_time: float = setting(
        0.5, unit='s', at_least=0.0, help='Time left out at the start of a recording')
    knot_spacing: float = setting(
        0.02, unit='s', above=0.0, help='Of the spline through the readings of encoders: the '
        'shorter, the faster motions are followed, and the more noise is in the accelerations')
    block_time: float = setting(
        0.25, unit='s', above=0.0,
        help='Errors farther apart than this are taken to be independent of each other')
    largest_place: float = setting(
        0.5, unit='m', above=0.0,
        help='Standard deviation of the position before the fit, about the origin of the '
             "body's frame")
    accelerometer_bias: float = setting(
        0.5, unit='m/s^2', above=0.0,
        help='Standard deviation of the biases of the accelerometer before the fit')
    gyroscope_bias: float = setting(
        0.05, unit='rad/s', above=0.0, help='The same of gyroscopes')
    scale_error: float = setting(
        0.1, above=0.0, help='The same of the scale of the accelerometer, about 1')
    estimate_delay: bool = setting(
        True, help="Whether the stamps of the IMU may be late against the motion's")
    longest_delay: float = setting(
        0.02, unit='s', above=0.0, help='How late they may be, or early')


_BIAS_SIZES = {'accelerometer': 1.0, 'gyroscope': 0.1}
_ITERATIONS = 50
_CONVERGED = 1e-5       # of the last change, in those sizes
_DETERMINED = 1e-9      # singular value of a determined direction, against the largest
_FEWEST = 50            # readings
_OPEN = 0.9             # share of a prior deviation that says that nothing was learnt


@dataclass(frozen=True)
class MountingFit:
    """The fitted mounting.

    offset in the body's frame [m] and orientation there [rad]: in the plane two numbers and the
    angle of the IMU's x axis, in space three and roll, pitch, yaw; covariance (3, 3) or (6, 6) of
    these together; delay [s] of its stamps against the motion's, 0.0 if not
    estimated; delay_deviation; biases and bias_deviations by channel; scale: of the accelerometer,
    1.0 if it is calibrated; residuals: root mean square of each channel; doubts: sentences about
    what the motion does not determine.
    """

    offset: np.ndarray
    orientation: float | np.ndarray
    covariance: np.ndarray
    delay: float
    delay_deviation: float
    biases: dict[str, float]
    bias_deviations: dict[str, float]
    scale: float
    residuals: dict[str, float]
    doubts: tuple[str, ...]


def fit_mounting(motion: BodyMotion, sensors: Sequence[Sensor], stamps: IntArray,
                 readings: FloatArray, settings: MountingFitSettings | None = None,
                 offset: FloatArray | None = None) -> MountingFit:
    """Return the MountingFit of an IMU.

    motion: BodyMotion of its body; sensors: one accelerometer, and gyroscopes that determine
    delay and biases, too; stamps (k) [ns], readings (k, channels), NaN where there is none; offset:
    of the IMU [m] where it is known, None to find it.

    Least squares, each channel weighted by its residual; nothing of the mounting is known before
    but the priors of the settings.  Source: Mohammad et al. 2025, Eq. (10), there weighted by
    largest values.
    Raises SensorError.
    """
    problem = _Problem(motion, sensors, stamps, readings, settings or MountingFitSettings(), offset)
    x = problem.solve()
    return problem.result(x)


class _Problem:
    """The fit in x, see Unknowns."""

    def __init__(self, motion: BodyMotion, sensors: Sequence[Sensor], stamps: IntArray,
                 readings: FloatArray, settings: MountingFitSettings,
                 offset: FloatArray | None) -> None:
        self._motion, self._settings, self._unknowns = motion, settings, motion.unknowns
        self._channels, self._axes = _channels(sensors)
        margin = settings.longest_delay if settings.estimate_delay else 0.0
        used = motion.covers(stamps, margin) & np.isfinite(readings).any(axis=1)
        used &= stamps >= stamps[0] + settings.settling_time * NANOSECONDS
        self._stamps, self._readings = stamps[used], readings[used]
        self._there = np.isfinite(self._readings)
        counts = self._there.sum(axis=0)
        if counts.min() < _FEWEST:
            raise SensorError(f'{self._channels[int(counts.argmin())]}: {counts.min()} readings '
                              f'while the motion is known, at least {_FEWEST} are needed')
        kinds = [sensor.kind for sensor in sensors for _ in sensor.channels]
        biases = [settings.gyroscope_bias if kind == 'gyroscope' else settings.accelerometer_bias
                  for kind in kinds]
        self._sizes = np.r_[SIZES, [_BIAS_SIZES[kind] for kind in kinds]]
        self._spread = np.ones(len(kinds))
        self._offset = offset
        self._priors = np.full(len(self._sizes), np.inf)     # deviations about 0
        self._priors[OFFSET] = settings.largest_place
        self._priors[BIASES:] = biases
        self._free = np.zeros(len(self._sizes), dtype=bool)
        self._free[list(self._unknowns.numbers)] = self._free[BIASES:] = True
        self._free[OFFSET] &= offset is None
        self._free[DELAY] = settings.estimate_delay

    def solve(self):
        """Return x where the sum of squares is least, of all starts."""
        known = np.isfinite(self._priors)
        starts = self._unknowns.starts(
            self._axes, self._motion.at(self._stamps, 0.0)[0], self._readings,
            np.r_[self._priors[known], self._settings.scale_error])
        solutions = [(cost, x, scale) for x, scale in starts
                     for cost, x in self._descended(x)]
        if not solutions:
            raise SensorError('the mounting is not found: the motion hardly determines it')
        _, x, self.scale = min(solutions, key=lambda one: one[0])
        return x

    def _descended(self, x: FloatArray) -> Any:
        """Yield (cost, x) at the end of a descent from x, nothing if it does not end."""
        if self._offset is not None:
            x[:self._unknowns.offsets] = self._offset
        free, limit = self._free, self._settings.longest_delay
        for _ in range(_ITERATIONS):
            residual, slopes = self._rows(x)
            self._spread = np.sqrt(np.nanmean(residual ** 2, axis=0)) + 1e-300
            residual, slopes = self._flat(residual, slopes)
            change = np.zeros(len(x))
            change[free] = np.linalg.lstsq(
                (np.vstack([slopes, np.diag(1.0 / self._priors)]) * self._sizes)[:, free],
                np.r_[residual, -x / self._priors], rcond=_DETERMINED)[0]
            change *= self._sizes
            change[DELAY] = np.clip(x[DELAY] + change[DELAY], -limit, limit) - x[DELAY]
            x = moved(x, change)
            if np.abs(change / self._sizes).max() < _CONVERGED:
                yield float(self._there.sum(axis=0) @ np.log(self._spread)), x
                return

    def result(self, x: FloatArray) -> MountingFit:
        """Return the MountingFit of x."""
        residual, slopes = self._rows(x)
        spread = np.sqrt(np.nanmean(residual ** 2, axis=0))
        blocks = np.floor((self._stamps - self._stamps[0]) / (
            self._settings.block_time * NANOSECONDS)).astype(int)
        blocks = np.unique(np.repeat(blocks, len(spread))[self._there.ravel()],
                           return_inverse=True)[1]
        left_over, slopes = self._flat(residual, slopes)
        free, offsets, own = self._free, self._unknowns.offsets, list(self._unknowns.numbers[:-1])
        covariance = np.zeros((len(x), len(x)))
        covariance[np.ix_(free, free)] = _with_priors(fit_covariance(
            slopes[:, free], left_over, np.ones(len(left_over)), blocks), self._priors[free])
        deviations = np.sqrt(np.diagonal(covariance))
        x = np.where(abs(x) < 1e-9 * deviations, 0.0, x)        # of what the motion leaves open
        orientation, slopes = self._unknowns.orientation(x)
        given = np.eye(len(own))
        given[offsets:, offsets:] = slopes
        return MountingFit(
            x[:offsets], orientation, given @ covariance[np.ix_(own, own)] @ given.T,
            float(x[DELAY]), float(deviations[DELAY]),
            self._named(x[BIASES:]), self._named(deviations[BIASES:]),
            self.scale, self._named(spread),
            tuple(_doubts(self._unknowns, deviations, x, self._settings, self._priors)))

    def _rows(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return residual (k, channels) and slopes of expected readings (k, channels, l) at x."""
        expected, slopes = expected_readings(
            self._axes, *self._motion.at(self._stamps, float(x[DELAY])), x)
        if not self._settings.estimate_delay:
            slopes[:, :, DELAY] = 0.0
        return self._readings - expected, slopes

    def _flat(self, residual: FloatArray, slopes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return residual and slopes of the present readings, in units of their spread."""
        return ((residual / self._spread)[self._there],
                (slopes / self._spread[:, None])[self._there])

    def _named(self, values: FloatArray) -> dict[str, float]:
        return dict(zip(self._channels, values.tolist(), strict=True))


def _with_priors(covariance: FloatArray, priors: FloatArray) -> FloatArray:
    """Return (C^-1 + D^-2)^-1 of a covariance C and deviations D of priors, inf for none."""
    weights = np.diag(1.0 / priors ** 2)
    both = np.linalg.solve(np.eye(len(priors)) + covariance @ weights, covariance)
    return 0.5 * (both + both.T)


def _channels(sensors: Sequence[Sensor]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the names of all channels and (kind, axis) of each; SensorError."""
    kinds = [sensor.kind for sensor in sensors]
    strange = [sensor.name for sensor in sensors if sensor.kind not in _BIAS_SIZES]
    if strange or kinds.count('accelerometer') != 1 or len({s.body for s in sensors}) > 1:
        raise SensorError(f'{", ".join(sensor.name for sensor in sensors)}: must be one '
                          'accelerometer and gyroscopes of the same body')
    names = [name for sensor in sensors for name in sensor.channels]
    axes = [(sensor.kind, axis if axis in ('x', 'y', 'z') else 'z')     # of a gyroscope in a plane
            for sensor in sensors for axis in sensor.axes]
    return names, axes


def _doubts(unknowns: Unknowns, deviations: FloatArray, x: FloatArray,
            settings: MountingFitSettings, priors: FloatArray) -> Iterator[str]:
    """Yield sentences about what the motion does not determine."""
    for k, name in zip(unknowns.numbers, unknowns.names, strict=True):
        if deviations[k] > unknowns.doubtful.get(name, np.inf):
            advice = ('turn the body faster, to and fro, about other axes too; or measure it: '
                      '--known at' if name in 'xyz' else 'accelerate the body, in all directions')
            left_open = deviations[k] > _OPEN * priors[k]
            yield (f'{name}: this motion says nothing of it: {advice}' if left_open else
                   f'{name}: {x[k]:.3g} +- {deviations[k]:.2g} is hardly determined: {advice}')
    delay = x[DELAY]
    if settings.estimate_delay and abs(delay) >= settings.longest_delay:
        yield f'delay: {delay:.3g} s or more; stamps of IMU and motion do not belong together'
