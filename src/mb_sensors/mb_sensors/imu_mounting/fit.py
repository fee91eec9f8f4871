"""Position, direction, delay and biases of an IMU on its body, by least squares on its readings."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray, IntArray
from mb_sensors.imu_mounting.model import (
    BIASES,
    DELAY,
    TURN,
    angle_in_plane,
    roll_pitch_yaw,
)
from mb_sensors.imu_mounting.notes import contradictions_of, notes_of
from mb_sensors.imu_mounting.problem import FREE, ImuRecording, Problem
from mb_sensors.imu_mounting.settings import MountingFitSettings
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.sensor import Sensor

_KNOWN = 0.33           # share of the deviation before that is left of a number that is known


@dataclass(frozen=True)
class MountingNumber:
    """A number of an IMU by its path below `sensors`, as `acc.at.x` or `acc.delay`.

    deviation (1 sigma); believed: at first; is_known: whether the readings say it.
    """

    path: str
    value: float
    deviation: float
    believed: float
    is_known: bool


@dataclass(frozen=True)
class ImuResiduals:
    """Readings (k, channels), what is left of them, at times t (k) [s] of a recording (k).

    deviations (channels): of what is left, as expected of other readings.
    """

    channels: tuple[str, ...]
    t: FloatArray
    recording: IntArray
    readings: FloatArray
    left: FloatArray
    deviations: FloatArray


@dataclass(frozen=True)
class MountingFit:
    """The fitted mounting of an IMU: unknowns x, see model.

    numbers: of what was free; residuals; notes: sentences about what the motion does not show, and
    what contradicts the file.
    """

    x: FloatArray
    numbers: tuple[MountingNumber, ...]
    residuals: ImuResiduals
    notes: tuple[str, ...]

    def values(self, kind: str) -> FloatArray:
        """Return the values of the free numbers with a key such as `at` in their path."""
        return np.array([one.value for one in self._of(kind)])

    def deviations(self, kind: str) -> FloatArray:
        """Return the deviations of the same numbers."""
        return np.array([one.deviation for one in self._of(kind)])

    def is_known(self, kind: str) -> bool:
        """Return whether the readings say any of the same numbers."""
        return any(one.is_known for one in self._of(kind))

    def bias(self, channel: str) -> float:
        """Return the bias of a channel by name."""
        return float(self.x[BIASES + self.residuals.channels.index(channel)])

    def _of(self, kind: str) -> list[MountingNumber]:
        return [one for one in self.numbers if kind in one.path.split('.')]


def fit_mounting(mechanism: Mechanism, sensors: Sequence[Sensor],
                 recordings: Sequence[ImuRecording], settings: MountingFitSettings | None = None,
                 free: Collection[str] = FREE[:4]) -> MountingFit:
    """Return the MountingFit of an IMU.

    sensors: accelerometers and gyroscopes with the same axes on one body, whose stamps are late
    alike; free: some of FREE.

    Least squares, each channel weighted by its residual, beside what the file says by the
    deviations of the settings: what the readings do not show stays as in the file.  Source:
    Mohammad et al. 2025, Eq. (10), there weighted by largest values.
    Raises SensorError, also where an axis has the wrong sign or readings another unit.
    """
    settings = settings or MountingFitSettings()
    problem = Problem(mechanism, sensors, recordings, settings, free)
    x = problem.solve()
    if wrong := list(contradictions_of(problem, x)):
        raise SensorError('; '.join(wrong))
    covariance = problem.covariance(x)
    left = problem.rows(x)[0]
    deviations = np.sqrt(np.nanmean(left ** 2, axis=0))
    return MountingFit(x, tuple(_numbers(problem, x, covariance)),
                       _residuals(problem, left, deviations),
                       tuple(notes_of(problem, x, covariance, settings)))


def judged_mounting(mechanism: Mechanism, sensors: Sequence[Sensor],
                    recordings: Sequence[ImuRecording], fit: MountingFit) -> ImuResiduals:
    """Return the ImuResiduals of recordings that a MountingFit may not have seen; SensorError."""
    problem = Problem(mechanism, sensors, recordings, MountingFitSettings(), ())
    return _residuals(problem, problem.rows(fit.x)[0], fit.residuals.deviations)


def _residuals(problem: Problem, left: FloatArray, deviations: FloatArray) -> ImuResiduals:
    return ImuResiduals(tuple(channel.name for channel in problem.channels), problem.t,
                        problem.recording, problem.readings, left, deviations)


def delay_before(sensors: Sequence[Sensor]) -> float:
    """Return the delay that the stamps of an IMU are without already, as its driver does [s]."""
    settings = sensors[0].settings
    return 0.0 if settings.stamped_at_arrival else settings.delay


def _numbers(problem: Problem, x: FloatArray, covariance: FloatArray) -> Iterator[MountingNumber]:
    """Yield the numbers of what is free."""
    first = next((one for one in problem.sensors if one.kind == 'accelerometer'),
                 problem.sensors[0]).name
    before, free, flat = problem.before, problem.free, problem.dimension == 2
    believed = np.diag(problem.believed ** 2)

    def number(path: str, value: float, at_first: float, row: FloatArray) -> MountingNumber:
        after, prior = (float(np.sqrt(row @ matrix @ row)) for matrix in (covariance, believed))
        return MountingNumber(path, value, after, at_first, after < _KNOWN * prior)

    unit = np.eye(len(x))
    for k, axis in enumerate('xyz'):
        if free[k]:
            yield number(f'{first}.at.{axis}', x[k], before[k], unit[k])
    if free[TURN].any() and flat:
        yield number(f'{first}.orientation', angle_in_plane(x), angle_in_plane(before), unit[5])
    elif free[TURN].any():
        (angles, slopes), (at_first, _) = roll_pitch_yaw(x), roll_pitch_yaw(before)
        for k, name in enumerate(('roll', 'pitch', 'yaw')):
            yield number(f'{first}.rpy.{name}', angles[k], at_first[k], slopes[k] @ unit[TURN])
    if free[DELAY]:
        earlier = delay_before(problem.sensors)
        yield number(f'{first}.delay', earlier + x[DELAY], earlier, unit[DELAY])
    for k, channel in enumerate(problem.channels, BIASES):
        if free[k]:
            sensor = problem.sensors[channel.sensor].name
            yield number(f'{sensor}.bias.{channel.axis}', x[k], 0.0, unit[k])
    for k, one in enumerate(problem.sensors, BIASES + len(problem.channels)):
        if free[k]:
            yield number(f'{one.name}.scale', x[k], 0.0, unit[k])
