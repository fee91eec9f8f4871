"""Place and direction of an IMU on its body, by least squares on its readings."""

from dataclasses import dataclass

import numpy as np

from mb_sensors.covariance_fit import fit_covariance
from mb_sensors.errors import SensorError
from mb_sensors.imu_mounting.model import BIASES, DELAY, expected_readings, linear_start
from mb_sensors.imu_mounting.mounting_settings import MountingFitSettings
from mb_sensors.sampling import NANOSECONDS

_NAMES = ('x', 'y', 'orientation', 'delay')
_SIZES = np.array([0.1, 0.1, 1.0, 0.01])            # m, m, rad, s: so large, errors count alike
_BIAS_SIZES = {'accelerometer': 1.0, 'gyroscope': 0.1}
_ITERATIONS = 50
_CONVERGED = 1e-8       # of the last change, in those sizes
_DETERMINED = 1e-9      # singular value of a determined direction, against the largest
_FEWEST = 50            # readings
_DOUBTFUL = {'x': 5e-3, 'y': 5e-3, 'orientation': 0.02}      # deviations that are too large


@dataclass(frozen=True)
class MountingFit:
    """The fitted mounting.

    place (2) in the body's frame [m] and orientation of the IMU's x axis there [rad]; covariance
    (3, 3) of these together; delay [s] of its stamps against the motion's, 0.0 if not
    estimated; delay_deviation; biases and bias_deviations by channel; scale: of the accelerometer,
    1.0 if it is calibrated; residuals: root mean square of each channel; doubts: sentences about
    what the motion does not determine.
    """

    place: np.ndarray
    orientation: float
    covariance: np.ndarray
    delay: float
    delay_deviation: float
    biases: dict[str, float]
    bias_deviations: dict[str, float]
    scale: float
    residuals: dict[str, float]
    doubts: tuple[str, ...]


def fit_mounting(motion, sensors, stamps, readings, settings=None):
    """Return the MountingFit of an IMU.

    motion: BodyMotion of its body; sensors: one accelerometer, and gyroscopes that determine
    delay and biases, too; stamps (k) [ns], readings (k, channels), NaN where there is none.

    Least squares, each channel weighted by its residual; no knowledge of the mounting is needed
    before.  Source: Mohammad et al. 2025, Eq. (10), there weighted by largest values.
    Raises SensorError.
    """
    problem = _Problem(motion, sensors, stamps, readings, settings or MountingFitSettings())
    x = problem.solve()
    return problem.result(x)


class _Problem:
    """The fit in x, see mb_sensors.imu_mounting.model."""

    def __init__(self, motion, sensors, stamps, readings, settings):
        self._motion, self._settings = motion, settings
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
        self._sizes = np.r_[_SIZES, [_BIAS_SIZES[kind] for kind in kinds]]
        self._spread = np.ones(len(kinds))

    def solve(self):
        """Return x where the sum of squares is least."""
        x, self.scale = linear_start(self._axes, self._motion.at(self._stamps, 0.0)[0],
                                     self._readings)
        for _ in range(_ITERATIONS):
            residual, slopes = self._rows(x)
            self._spread = np.sqrt(np.nanmean(residual ** 2, axis=0)) + 1e-300
            residual, slopes = self._flat(residual, slopes)
            before, limit = x, self._settings.longest_delay
            change = np.linalg.lstsq(slopes * self._sizes, residual, rcond=_DETERMINED)[0]
            x = before + change * self._sizes
            x[DELAY] = np.clip(x[DELAY], -limit, limit)
            if np.abs((x - before) / self._sizes).max() < _CONVERGED:
                return x
        raise SensorError('the mounting is not found: the motion hardly determines it')

    def result(self, x):
        """Return the MountingFit of x."""
        residual, slopes = self._rows(x)
        spread = np.sqrt(np.nanmean(residual ** 2, axis=0))
        blocks = np.floor((self._stamps - self._stamps[0]) / (
            self._settings.block_time * NANOSECONDS)).astype(int)
        blocks = np.unique(np.repeat(blocks, len(spread))[self._there.ravel()],
                           return_inverse=True)[1]
        left_over, slopes = self._flat(residual, slopes)
        free = np.ones(len(x), dtype=bool)
        free[DELAY] = self._settings.estimate_delay
        covariance = np.zeros((len(x), len(x)))
        covariance[np.ix_(free, free)] = fit_covariance(
            slopes[:, free], left_over, np.ones(len(left_over)), blocks)
        deviations = np.sqrt(np.diagonal(covariance))
        return MountingFit(
            x[:2], float(np.arctan2(np.sin(x[2]), np.cos(x[2]))), covariance[:3, :3],
            float(x[DELAY]), float(deviations[DELAY]),
            self._named(x[BIASES:]), self._named(deviations[BIASES:]),
            self.scale, self._named(spread), tuple(_doubts(deviations, x, self._settings)))

    def _rows(self, x):
        """Return residual (k, channels) and slopes of expected readings (k, channels, l) at x."""
        expected, slopes = expected_readings(
            self._axes, *self._motion.at(self._stamps, x[DELAY]), x)
        if not self._settings.estimate_delay:
            slopes[:, :, DELAY] = 0.0
        return self._readings - expected, slopes

    def _flat(self, residual, slopes):
        """Return residual and slopes of the present readings, in units of their spread."""
        return ((residual / self._spread)[self._there],
                (slopes / self._spread[:, None])[self._there])

    def _named(self, values):
        return dict(zip(self._channels, values.tolist(), strict=True))


def _channels(sensors):
    """Return the names of all channels and their axes: 'x', 'y', '' of a rate; SensorError."""
    kinds = [sensor.kind for sensor in sensors]
    strange = [sensor.name for sensor in sensors if sensor.kind not in _BIAS_SIZES]
    if strange or kinds.count('accelerometer') != 1 or len({s.body for s in sensors}) > 1:
        raise SensorError(f'{", ".join(sensor.name for sensor in sensors)}: must be one '
                          'accelerometer and gyroscopes of the same body')
    names = [name for sensor in sensors for name in sensor.channels]
    axes = [axis for sensor in sensors
            for axis in (sensor.axes if sensor.kind == 'accelerometer' else [''])]
    return names, axes


def _doubts(deviations, x, settings):
    """Yield sentences about what the motion does not determine."""
    for name, value, deviation in zip(_NAMES, x, deviations, strict=False):
        if deviation > _DOUBTFUL.get(name, np.inf):
            advice = ('accelerate the body, in all directions' if name == 'orientation'
                      else 'turn the body faster, to and fro')
            yield f'{name}: {value:.3g} +- {deviation:.2g} is hardly determined: {advice}'
    if settings.estimate_delay and abs(x[DELAY]) >= settings.longest_delay:
        yield f'delay: {x[DELAY]:.3g} s or more; stamps of IMU and motion do not belong together'
