"""The least squares of an IMU's readings in its unknowns x, see model."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mb_model import Mechanism
from mb_model.arrays import BoolArray, FloatArray, IntArray
from mb_sensors.covariance_fit import fit_covariance
from mb_sensors.imu_mounting.body_motion import BodyMotion
from mb_sensors.imu_mounting.file import mounting_in_file
from mb_sensors.imu_mounting.model import (
    BIASES,
    DELAY,
    KINDS,
    OFFSET,
    SIZES,
    TURN,
    channels_of,
    difference,
    expected_readings,
    moved,
)
from mb_sensors.imu_mounting.settings import MountingFitSettings
from mb_sensors.imu_mounting.starts import is_mirrored, starts
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sensor import Sensor

FREE = ('position', 'orientation', 'delay', 'biases', 'scales')
_BIAS_SIZES = {'accelerometer': 1.0, 'gyroscope': 0.1}
_ITERATIONS = 50
_CONVERGED = 1e-5       # of the last change, in those sizes
_DETERMINED = 1e-9      # singular value of a determined direction, against the largest
_FEWEST = 50            # readings
_DELAY_STEP = 5e-3      # of the search [s]
_SEARCHED = 500         # readings in it
_DELAYS = 2             # the best ones, from which it descends
_ALIKE = 0.3            # rad between starts that descend alike
_EXACT = 1e-12          # of a channel without any residual


class ImuRecording(NamedTuple):
    """Motion of the body of an IMU, and its readings (k, channels) at stamps (k) [ns], NaN: none.
    """

    motion: BodyMotion
    stamps: IntArray
    readings: FloatArray


class Problem:
    """The fit in x of an IMU's recordings; free: some of FREE.  Raises SensorError."""

    def __init__(self, mechanism: Mechanism, sensors: Sequence[Sensor],
                 recordings: Sequence[ImuRecording], settings: MountingFitSettings,
                 free: Collection[str]) -> None:
        strange = [sensor.name for sensor in sensors if sensor.kind not in KINDS]
        if strange or len({sensor.body for sensor in sensors}) != 1:
            raise SensorError(f'{", ".join(sensor.name for sensor in sensors)}: must be '
                              'accelerometers and gyroscopes of one body')
        self.dimension, self.sensors = mechanism.dimension, sensors
        self.channels, self._settings = channels_of(sensors), settings
        accelerometer = any(sensor.kind == 'accelerometer' for sensor in sensors)
        count, margin = len(self.channels), settings.longest_delay if 'delay' in free else 0.0
        self._used = [_used(one, margin) for one in recordings]
        self.readings = np.vstack([one.readings for one in self._used])
        self._there = np.isfinite(self.readings)
        counts = self._there.sum(axis=0)
        if counts.min() < _FEWEST:
            raise SensorError(f'{self.channels[int(counts.argmin())].name}: {counts.min()} readings'
                              f' while the motion is known, at least {_FEWEST} are needed')
        self.before = np.zeros(BIASES + count + len(sensors))
        self.before[OFFSET], self.before[TURN] = mounting_in_file(mechanism, sensors)
        kinds = [channel.kind for channel in self.channels]
        self._sizes: FloatArray = np.r_[SIZES, [_BIAS_SIZES[kind] for kind in kinds],
                            np.full(len(sensors), 0.1)]
        self.believed = np.r_[      # deviations of what the file says
            [settings.largest_offset] * 3, [settings.largest_turn] * 3, settings.longest_delay,
            [settings.gyroscope_bias if kind == 'gyroscope' else settings.accelerometer_bias
             for kind in kinds], [settings.scale_error] * len(sensors)]
        self.free = np.zeros(len(self.before), dtype=bool)
        self.free[OFFSET] = 'position' in free and accelerometer
        self.free[TURN] = 'orientation' in free and (accelerometer or self.dimension == 3)
        if self.dimension == 2:
            self.free[2:5] = False
        self.free[DELAY] = 'delay' in free
        self.free[BIASES:BIASES + count] = 'biases' in free
        self.free[BIASES + count:] = 'scales' in free
        self._spread = np.ones(count)

    @property
    def t(self) -> FloatArray:
        """Times since the first used reading of each recording (k) [s]."""
        return np.concatenate([(one.stamps - one.stamps[0]) / NANOSECONDS for one in self._used])

    @property
    def recording(self) -> IntArray:
        """Number of the recording of each reading (k)."""
        return np.repeat(np.arange(len(self._used)), [len(one.stamps) for one in self._used])

    def values(self, delay: float) -> tuple[FloatArray, FloatArray]:
        """Return values of the body's motion, and rates, at the readings, less a delay [s]."""
        values, rates = zip(*(one.motion.at(one.stamps, delay) for one in self._used), strict=True)
        return np.vstack(values), np.vstack(rates)

    def solve(self) -> FloatArray:
        """Return x where the sum of squares is least, of all starts."""
        solutions = [one for x in self._starts() for one in self._descended(x)]
        if not solutions:
            names = ', '.join(sensor.name for sensor in self.sensors)
            raise SensorError(f'{names}: no end of the fit: the motion hardly determines it')
        return min(solutions, key=lambda one: one[0])[1]

    def mirrored(self, x: FloatArray) -> bool:
        """Return whether an axis has the wrong sign, at the delay of x."""
        return self.dimension == 3 and is_mirrored(
            self.channels, self.values(float(x[DELAY]))[0], self.readings, self.before)

    def rows(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return residual (k, channels) and slopes of expected readings (k, channels, l) at x."""
        expected, slopes = expected_readings(self.channels, *self.values(float(x[DELAY])), x)
        return self.readings - expected, slopes

    def covariance(self, x: FloatArray) -> FloatArray:
        """Return the covariance (l, l) of x after readings and file; of what is free.

        Of errors that last up to the block time.
        """
        residual, slopes = self.rows(x)
        self._spread = np.sqrt(np.nanmean(residual ** 2, axis=0)) + _EXACT
        blocks = np.floor(self.t / self._settings.block_time).astype(int)
        blocks += self.recording * (int(blocks.max()) + 1)
        blocks = np.unique(np.repeat(blocks, len(self._spread))[self._there.ravel()],
                           return_inverse=True)[1]
        flat, slopes = self._flat(residual, slopes)
        free = self.free
        covariance = np.zeros((len(x), len(x)))
        own, believed = slopes[:, free], self.believed[free]
        covariance[np.ix_(free, free)] = _with_priors(
            fit_covariance(own, flat, blocks), believed)
        return covariance

    def _starts(self) -> Iterator[FloatArray]:
        """Yield the starts at the delays where readings agree best, alone among their neighbours.
        """
        some = slice(None, None, 1 + len(self.readings) // _SEARCHED)
        reach = int(self._settings.longest_delay / _DELAY_STEP) if self.free[DELAY] else 0
        best: list[list[tuple[float, FloatArray]]] = []
        for delay in _DELAY_STEP * np.arange(-reach, reach + 1):
            values, readings = (part[some] for part in (self.values(float(delay))[0],
                                                        self.readings))
            costs = []
            for x in starts(self.channels, values, readings, self.before, self.believed,
                            self.dimension):
                x = np.where(self.free, x, self.before)
                expected = expected_readings(self.channels, values, np.zeros_like(values), x)[0]
                x[DELAY] = delay
                left = np.nanmean((readings - expected) ** 2, axis=0)
                costs.append((float(np.sum(np.log(left + _EXACT))), x))
            best.append(sorted(costs, key=lambda one: one[0]))
        costs_now = np.array([one[0][0] for one in best])
        least = np.flatnonzero((costs_now <= np.r_[np.inf, costs_now[:-1]])
                               & (costs_now <= np.r_[costs_now[1:], np.inf]))
        for k in least[np.argsort(costs_now[least])][:_DELAYS]:
            done: list[FloatArray] = []
            for _, x in best[k]:
                if all(np.linalg.norm(difference(x, one)[TURN]) > _ALIKE for one in done):
                    done.append(x)
                    yield x

    def _descended(self, x: FloatArray) -> Iterator[tuple[float, FloatArray]]:
        """Yield (cost, x) at the end of a descent from x, nothing if it does not end."""
        free, limit = self.free, self._settings.longest_delay
        for _ in range(_ITERATIONS):
            residual, slopes = self.rows(x)
            self._spread = np.sqrt(np.nanmean(residual ** 2, axis=0)) + _EXACT
            flat, slopes = self._flat(residual, slopes)
            rows = (np.vstack([slopes, np.diag(1.0 / self.believed)]) * self._sizes)[:, free]
            triangle = np.asarray(np.linalg.qr(np.column_stack([
                rows, np.r_[flat, -difference(x, self.before) / self.believed]]), 'r'))
            change = np.zeros(len(x))
            change[free] = np.linalg.lstsq(triangle[:, :-1], triangle[:, -1], _DETERMINED)[0]
            change *= self._sizes
            change[DELAY] = np.clip(x[DELAY] + change[DELAY], -limit, limit) - x[DELAY]
            x = moved(x, change)
            if np.abs(change / self._sizes).max() < _CONVERGED:
                yield float(self._there.sum(axis=0) @ np.log(self._spread)), x
                return

    def _flat(self, residual: FloatArray, slopes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return residual and slopes of the present readings, in units of their spread."""
        return ((residual / self._spread)[self._there],
                (slopes / self._spread[:, None])[self._there])


def _used(recording: ImuRecording, margin: float) -> ImuRecording:
    """Return what of a recording is used: where the motion is known, by a margin [s]."""
    used: BoolArray = recording.motion.covers(recording.stamps, margin) & np.isfinite(
        recording.readings).any(axis=1)
    return ImuRecording(recording.motion, recording.stamps[used], recording.readings[used])


def _with_priors(covariance: FloatArray, priors: FloatArray) -> FloatArray:
    """Return (C^-1 + D^-2)^-1 of a covariance C and deviations D of priors."""
    weights = np.diag(1.0 / priors ** 2)
    both = np.linalg.solve(np.eye(len(priors)) + covariance @ weights, covariance)
    return 0.5 * (both + both.T)
