"""From the samples of one sensor to its stamped and calibrated readings.

Calibration files have scale and bias of channels:

    crank_encoder: {bias: 0.0123}                   # reading = scale (value - bias)
    imu.x: {scale: 1.002, bias: -0.04}
"""

from collections.abc import Mapping
from dataclasses import dataclass
import math

from mb_model import Mechanism, SettingError, Settings, setting
from mb_model.file_api import load_yaml, user_path
from mb_ros.device_clock import DeviceClock, nearest
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sensor import Sensor
from mb_sensors.sources import Sample
from mb_sensors.sources.acquisition import AcquisitionSettings


@dataclass(frozen=True)
class ChannelCalibration(Settings):
    """How the value of a device becomes a reading: scale (value - bias)."""

    scale: float = setting(1.0, help='Factor on the measured value less its bias')
    bias: float = setting(0.0, help="Measured value at zero, in the sensor's unit")

    def apply(self, value: float) -> float:
        """Return the reading of a value."""
        return self.scale * (value - self.bias)


def load_calibration(path: str, mechanism: Mechanism) -> dict[str, ChannelCalibration]:
    """Return the ChannelCalibrations in a file by channel; it may have sensors of other drivers.

    Raises SensorError naming the file, the channel, the value and what was expected.
    """
    if not path:
        return {}
    try:
        content, _ = load_yaml(user_path(path).read_text(encoding='utf-8'))
    except UnicodeDecodeError:
        raise SensorError(f'calibration: {path}: not a text in UTF-8') from None
    except (OSError, ValueError) as error:
        raise SensorError(f'calibration: {path}: {error}') from None
    if not isinstance(content, dict):
        raise SensorError(f'{path}: must map channels to {{scale, bias}}')
    sensors = [str(channel).partition('.')[0] for channel in content]
    if sensors and not mechanism.sensors.keys() & set(sensors):     # it may be any file
        raise SensorError(f'{path}: has no sensor of {mechanism.name}, expected some of '
                          f'{", ".join(mechanism.sensors)}')
    calibrations = {}
    for channel, entry in content.items():
        if str(channel).partition('.')[0] not in mechanism.sensors:
            raise SensorError(f'{path}: {channel}: unknown sensor of {mechanism.name}, expected '
                              f'one of {", ".join(mechanism.sensors)}')
        if not isinstance(entry, dict):
            raise SensorError(f'{path}: {channel}: {entry!r} must be a mapping with scale or bias')
        try:
            calibrations[channel] = ChannelCalibration.from_mapping(entry)
        except SettingError as error:
            raise SensorError(f'{path}: {channel}.{error}') from None
    return calibrations


_CLOCK_SET = 1.0        # a step back of stamps [s] that must come from our clock being set


@dataclass
class IntakeCounts:
    """Counts of the samples of a sensor since the start."""

    readings: int = 0
    rejected: int = 0       # not finite, not newer than the last one, without a credible time
    missing: int = 0        # by the gaps between stamps


class Intake:
    """Calibrates and stamps the samples of a Sensor; impossible readings are left out."""

    def __init__(self, sensor: Sensor, settings: AcquisitionSettings,
                 calibration: Mapping[str, ChannelCalibration], clock_period: int) -> None:
        """Set up.

        settings: AcquisitionSettings; calibration: ChannelCalibration by channel; clock_period: of
        the device's clock [ns].
        """
        self.counts = IntakeCounts()
        self.last_problem = ''
        self._sensor = sensor
        self._calibration = [calibration.get(name, ChannelCalibration())
                             for name in sensor.channels]
        self._clock = settings.clock
        self._largest_offset = round(settings.largest_offset * NANOSECONDS)
        self._clock_period = clock_period
        self._device_clock = DeviceClock(clock_period)
        self._delay = round(sensor.settings.delay * NANOSECONDS)
        self._last = None

    def reading(self, sample: Sample, arrival: int) -> tuple[int, list[float]] | None:
        """Return (stamp [ns], values) of a Sample, or None if it cannot be a reading.

        arrival: when the sample came, in ROS time [ns].
        """
        values = [calibration.apply(value) for calibration, value
                  in zip(self._calibration, sample.values, strict=True)]
        if not all(math.isfinite(value) for value in values):
            return self._reject(f'{self._sensor.name}: reading is not finite')
        stamp = self._stamp(sample, arrival)
        if stamp <= 0:
            return self._reject(f'{self._sensor.name}: there is no time yet')
        offset = stamp - arrival
        if self._clock == 'synchronised' and abs(offset) > self._largest_offset:
            return self._reject(f'{self._sensor.name}: the clock of the device is '
                                f'{offset / NANOSECONDS:.3f} s off ours')
        step = None if self._last is None else (stamp - self._last) / NANOSECONDS
        if step is not None and -_CLOCK_SET < step <= 0.0:
            return self._reject(f'{self._sensor.name}: stamp is not newer than the last one')
        if step is not None:
            self.counts.missing += max(0, math.floor(step * self._sensor.rate + 0.5) - 1)
        self._last = stamp
        self.counts.readings += 1
        return stamp, values

    def _stamp(self, sample: Sample, arrival: int) -> int:
        """Return when the sample was taken [ns]."""
        if sample.device_time is None or self._clock == 'arrival':
            return arrival - self._delay
        if self._clock == 'synchronised':
            return nearest(sample.device_time, self._clock_period, arrival)
        return self._device_clock.arrival(sample.device_time, arrival) - self._delay

    def _reject(self, problem: str) -> None:
        self.counts.rejected += 1
        self.last_problem = problem
