"""An IMU behind a microcontroller that sends frames over a serial line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
import math
import time

import serial

from mb_model import Settings, setting
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sensor import Sensor
from mb_sensors.sources import Sample, SourceError, SourceHealth
from mb_sensors.sources.device_file import why_not
from mb_sensors.sources.imu_axes import ImuSensorSettings, imu_axes
from mb_sensors.sources.serial_imu.imu_frame import (
    SEQUENCE_PERIOD,
    SIZE,
    TIME_PERIOD,
    FrameParser,
    ImuFrame,
)


@dataclass(frozen=True)
class SerialSettings(Settings):
    """The serial line."""

    port: str = setting('/dev/ttyUSB0', help='Serial port')
    baud: int = setting(921600, unit='bit/s', above=0, at_most=10_000_000,
                        help='Bit rate of the line')
    largest_rate: float = setting(
        40.0, unit='rad/s', above=0.0, help='Range of the gyroscope; readings beyond are left out')
    largest_force: float = setting(
        160.0, unit='m/s^2', above=0.0,
        help='Range of the accelerometer; readings beyond are left out')


@dataclass(frozen=True)
class SerialSensorSettings(ImuSensorSettings):
    """A gyroscope or accelerometer, and which IMU it is in if a driver reads several."""

    port: str = setting('', help='Port of its IMU; empty: serial_imu.port')


_TIMEOUT = 0.002            # of a read: changing it would set up the port anew [s]
_BITS = 10                  # of a byte on the line, with start and stop
_NONSENSE = 10 * SIZE       # bytes without a frame that make a fault
_PORTS = '/dev/tty[UA]*'     # USB adapters, boards, those on the board
_RESTART = 1000             # gap of sequence numbers that means a new beginning


class SerialImu:
    """A Source: one gyroscope and one accelerometer, or either, behind a serial line."""

    kinds = ('gyroscope', 'accelerometer')
    Settings = SerialSettings
    SensorSettings = SerialSensorSettings
    device_clock_period = TIME_PERIOD
    emulator = 'mb_sensors.sources.serial_imu.serial_imu_emulator:SerialImuEmulator'

    def __init__(self, sensors: Sequence[Sensor], settings: SerialSettings,
                 each: Mapping[str, SerialSensorSettings]) -> None:
        self._settings = settings
        self._axes = imu_axes(sensors, each)
        self._byte_time = _BITS * NANOSECONDS / settings.baud       # [ns]
        self._port = None
        self._parser = FrameParser()
        self._corrupted = 0         # by parsers before this one
        self._lost = self._implausible = 0
        self._sequence = None       # of the last frame
        self._arrival = 0           # of the last frame [ns]
        self._nonsense = 0          # bytes since the last frame
        self._temperature = math.nan

    def open(self):
        """Open the port; old bytes in it are dropped."""
        self._corrupted += self._parser.corrupted
        self._parser, self._sequence, self._nonsense = FrameParser(), None, 0
        self._arrival = 0
        try:
            self._port = serial.Serial(self._settings.port, self._settings.baud, exclusive=True,
                                       timeout=_TIMEOUT)
            self._port.reset_input_buffer()
        except (OSError, ValueError) as error:
            raise SourceError(f'{self.device}: {_why_not(self.device, error)}') from error

    def read(self, timeout: float):
        """Return the readings in the frames that came."""
        port = self._port
        try:
            data = port.read(max(1, port.in_waiting))
        except (OSError, TypeError) as error:       # TypeError: of pyserial, closed meanwhile
            raise SourceError(f'{self.device}: {error}') from error
        now = time.time_ns()
        frames = self._parser.feed(data)
        self._nonsense = 0 if frames else self._nonsense + len(data)
        samples = []
        for frame, behind in frames:
            self._note(frame)
            # Bytes behind a frame were on the line for that long after it; and a frame needs
            # its time after the one before, also when a USB adapter brings several at once.
            self._arrival = max(now - round(behind * self._byte_time),
                                self._arrival + round(SIZE * self._byte_time))
            samples += self._samples(frame, self._arrival)
        return samples

    def close(self):
        """Close the port."""
        if self._port is not None:
            self._port.close()
            self._port = None

    @property
    def device(self):
        """The port, as the user names it."""
        return self._settings.port

    def health(self):
        """Report a line without frames."""
        faults = []
        if self._nonsense > _NONSENSE:
            faults.append(f'{self.device}: no frame in {self._nonsense} bytes; wrong baud '
                          'rate or another device')
        return SourceHealth(faults, {
            'frames corrupted': self._corrupted + self._parser.corrupted,
            'frames lost': self._lost, 'implausible': self._implausible,
            'temperature [deg C]': f'{self._temperature:.1f}'})

    def _note(self, frame: ImuFrame):
        """Count the frames that are missing before this one."""
        if self._sequence is not None:
            gap = (frame.sequence - self._sequence - 1) % SEQUENCE_PERIOD
            self._lost += gap if gap < _RESTART else 0
        self._sequence = frame.sequence
        self._temperature = frame.temperature

    def _samples(self, frame: ImuFrame, arrival: int):
        """Return the readings in a frame; NaN says that nothing was measured."""
        samples = []
        for axes in self._axes:
            values = axes.values(frame.rate, frame.force)
            if any(math.isnan(value) for value in values):
                continue
            largest = (self._settings.largest_rate if axes.is_gyroscope
                       else self._settings.largest_force)
            if any(abs(value) > largest for value in values):
                self._implausible += 1
                continue
            samples.append(Sample(axes.sensor.name, arrival, values, frame.time))
        return samples


def _why_not(port: str, error: Exception):
    """Return why a port cannot be opened."""
    if getattr(error, 'errno', None):
        return why_not(port, error, _PORTS)
    # pyserial gives the cause of this one only in its text
    return 'is no serial port' if 'Could not configure port' in str(error) else str(error)
