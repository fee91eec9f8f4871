"""A serial IMU on a pseudo-terminal."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
import math
import os
from pathlib import Path
import tty

from mb_model.file_api import point_to
from mb_sensors.sensor import Sensor
from mb_sensors.sources import Emulator, SourceError
from mb_sensors.sources.imu_axes import imu_axes
from mb_sensors.sources.serial_imu import SerialImu, SerialSensorSettings, SerialSettings
from mb_sensors.sources.serial_imu.imu_frame import ImuFrame, encode

_TEMPERATURE = 25.0


class SerialImuEmulator(Emulator, of=SerialImu):
    """An emulator: sends a frame for every instant at which its sensors measure.

    The port of the settings becomes a link to the pseudo-terminal.  lost: frames not read.
    """

    def __init__(self, sensors: Sequence[Sensor], settings: SerialSettings,
                 each: Mapping[str, SerialSensorSettings]) -> None:
        super().__init__(sensors)
        self._axes = {axes.sensor.name: axes for axes in imu_axes(sensors, each)}
        self._link = Path(settings.port)
        self._line = self._device_end = None
        self._sequence = 0
        self.lost = 0

    def open(self):
        """Make the pseudo-terminal.  Raises SourceError where the port is something else."""
        if self._link.exists() and not self._link.is_symlink():
            raise SourceError(f'{self._link}: is there already, and not an emulated port')
        self._line, self._device_end = os.openpty()
        tty.setraw(self._device_end)
        os.set_blocking(self._line, False)
        point_to(self._link, os.ttyname(self._device_end))
        self._clear()
        self._taken.clear()

    def measure(self, sensor: Sensor, values: Sequence[float]):
        """Put values into the frame of their instant."""
        self._axes[sensor.name].put(values, self._rate, self._force)

    def send(self, stamp: int):
        """Send the frame of an instant."""
        self.write(encode(ImuFrame(self._sequence, stamp, tuple(self._rate), tuple(self._force),
                                   _TEMPERATURE)))
        self._sequence += 1
        self._clear()

    def write(self, data: bytes):
        """Write bytes to the line; they are lost without a reader."""
        try:
            os.write(self._line, data)
        except BlockingIOError:
            self.lost += 1

    def close(self):
        """Send what is left and pull the plug."""
        if self._line is None:
            return
        with suppress(OSError):
            self.end_instant()
        os.close(self._device_end)
        os.close(self._line)
        self._line = None
        self._link.unlink(missing_ok=True)

    def _clear(self):
        self._rate, self._force = [math.nan] * 3, [math.nan] * 3
