"""A Bosch BMI160 on an I2C bus, read from its FIFO with the time of the sensor itself."""

from collections.abc import Mapping, Sequence
from math import radians
import time

from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sensor import Sensor
from mb_sensors.sources import Sample, SourceError, SourceHealth
from mb_sensors.sources.bmi160 import bmi160_registers as chip
from mb_sensors.sources.bmi160.bmi160_setup import (
    Bmi160SensorSettings,
    Bmi160Settings,
    check_identity,
    output_rate,
    set_up,
    test_itself,
)
from mb_sensors.sources.bmi160.i2c import I2cDevice
from mb_sensors.sources.imu_axes import imu_axes

_TEMPERATURE_PERIOD = 1.0       # [s]
_SPARE = chip.TIME_FRAME + chip.DATA_FRAME      # read beyond the content: another frame may come


class Bmi160:
    """A Source: gyroscope, accelerometer, or both, in one BMI160."""

    kinds = ('gyroscope', 'accelerometer')
    Settings = Bmi160Settings
    SensorSettings = Bmi160SensorSettings
    device_clock_period = chip.TIME_PERIOD
    emulator = 'mb_sensors.sources.bmi160.bmi160_emulator:Bmi160Emulator'

    def __init__(self, sensors: Sequence[Sensor], settings: Bmi160Settings,
                 each: Mapping[str, Bmi160SensorSettings]) -> None:
        settings.check()
        self._settings = settings
        self._axes = imu_axes(sensors, each)
        self._output_rate = output_rate(sensors)
        self._rate_scale = radians(settings.rate_range) / chip.FULL_SCALE
        self._force_scale = settings.force_range * chip.GRAVITY / chip.FULL_SCALE
        self._step = chip.TICKS_PER_SECOND // self._output_rate     # between samples [ticks]
        self._device = None
        self._arrival = 0           # of the last sample [ns]
        self._pending = []          # frames whose time is not known yet
        self._skipped = self._broken = self._saturated = 0
        self._temperature, self._temperature_due = None, 0.0

    def open(self):
        """Connect, check that it is a BMI160, set it up and verify the set-up."""
        settings = self._settings
        try:
            self._device = I2cDevice(settings.bus, settings.address)
            check_identity(self._device)
            if settings.self_test:
                test_itself(self._device)
            set_up(self._device, settings, self._output_rate)
        except (OSError, SourceError) as error:
            raise self._cut(error) from error
        self._pending, self._arrival = [], 0

    def read(self, timeout: float):
        """Return the readings in the FIFO."""
        time.sleep(min(timeout, self._settings.poll_period))
        try:
            size = int.from_bytes(self._device.read(chip.FIFO_LENGTH, 2), 'little') & 0x7FF
            if not size:
                return []
            data = self._device.read(chip.FIFO_DATA, size + _SPARE)
            now = time.time_ns()
            self._look_at_temperature()
            content = self._parsed(data)
        except OSError as error:
            raise self._cut(error) from error
        if content is None:
            return []
        if content.skipped:     # between the frames that wait for their time and these
            self._skipped += content.skipped + len(self._pending)
            self._pending = []
        self._pending += content.frames
        return [] if content.time is None else self._timed(content.time, now)

    def close(self):
        """Close the bus."""
        if self._device is not None:
            self._device.close()
            self._device = None

    @property
    def device(self):
        """The device, as the user names it."""
        return f'{self._settings.bus} {self._settings.address:02x}h'

    def health(self):
        """Count lost readings."""
        counts = {'lost in FIFO overflows': self._skipped, 'broken reads': self._broken,
                  'saturated': self._saturated}
        if self._temperature is not None:
            counts['temperature [deg C]'] = f'{self._temperature:.1f}'
        return SourceHealth([], counts)

    def _parsed(self, data: bytes):
        """Return the FifoContent of data, or None where that is lost: then all times are, too."""
        try:
            return chip.parse_fifo(data)
        except chip.FifoError:
            self._device.write(chip.COMMAND, chip.FIFO_FLUSH)
            self._pending = []
            self._broken += 1
            return None

    def _look_at_temperature(self):
        if time.monotonic() >= self._temperature_due:
            self._temperature_due = time.monotonic() + _TEMPERATURE_PERIOD
            raw = int.from_bytes(self._device.read(chip.TEMPERATURE, 2), 'little', signed=True)
            self._temperature = chip.temperature(raw)

    def _timed(self, ticks: int, now: int):
        """Return the Samples of all pending frames.

        ticks: sensor time when the last one was read, at now [ns].  Samples are taken when the
        sensor time is a whole multiple of their period.
        """
        newest = ticks // self._step * self._step
        samples = []
        for age, frame in zip(range(len(self._pending) - 1, -1, -1), self._pending, strict=True):
            taken = newest - age * self._step
            # If the last read was noted too late, that must not change the order.
            self._arrival = max(now - _nanoseconds(ticks - taken),
                                self._arrival + _nanoseconds(self._step) // 2)
            samples += self._samples(frame, self._arrival, _nanoseconds(taken % chip.TICK_PERIOD))
        self._pending = []
        return samples

    def _samples(self, frame: chip.FifoFrame, arrival: int, device_time: int):
        samples = []
        for axes in self._axes:
            raw = frame.rate if axes.is_gyroscope else frame.force
            if raw is None:
                continue
            if any(abs(value) >= chip.FULL_SCALE - 1 for value in raw):
                self._saturated += 1
                continue
            scale = self._rate_scale if axes.is_gyroscope else self._force_scale
            values = [scale * value for value in raw]
            samples.append(Sample(axes.sensor.name, arrival, axes.values(values, values),
                                  device_time))
        return samples

    def _cut(self, reason: object):
        return SourceError(f'{self.device}: {reason}')


def _nanoseconds(ticks: int):
    return ticks * NANOSECONDS // chip.TICKS_PER_SECOND
