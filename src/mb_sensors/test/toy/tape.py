"""A tape: a text file to which a device appends readings, a line each.  A source elsewhere."""

from dataclasses import dataclass
from pathlib import Path
import time

from mb_model import Settings, setting
from mb_sensors.sources import Sample, SourceHealth


@dataclass(frozen=True)
class TapeSettings(Settings):
    """The tape, and how it is read."""

    file: str = setting('tape.txt', help='File of the tape')
    pause: float = setting(0.005, unit='s', above=0.0, help='Time between two looks at it')


@dataclass(frozen=True)
class TapeSensorSettings(Settings):
    """The lines of one sensor."""

    mark: str = setting('', help='Word with which they begin; empty: its name')

    def mark_of(self, sensor):
        """Return the first word of the lines of a Sensor."""
        return self.mark or sensor.name


class Tape:
    """A Source: all sensors of a driver that punch one tape."""

    kinds = ('radial_speed', 'angle_encoder')
    Settings = TapeSettings
    SensorSettings = TapeSensorSettings
    device_clock_period = 2 ** 32 * 1000
    emulator = 'tape:Punch'

    def __init__(self, sensors, settings, each):
        self._settings, self._file, self._unknown = settings, None, 0
        self._names = {each[sensor.name].mark_of(sensor): sensor.name for sensor in sensors}

    def open(self):
        """Open the tape."""
        self._file = open(self._settings.file)      # noqa: SIM115

    def read(self, timeout):
        """Return the readings in new lines."""
        time.sleep(min(timeout, self._settings.pause))
        samples = []
        for line in self._file:
            mark, stamp, *values = line.split()
            if mark in self._names:
                samples.append(Sample(self._names[mark], time.time_ns(), tuple(map(float, values)),
                                      int(stamp) % self.device_clock_period))
            else:
                self._unknown += 1
        return samples

    def close(self):
        """Close the tape."""
        if self._file is not None:
            self._file.close()
            self._file = None

    @property
    def device(self):
        """The tape, as the user names it."""
        return self._settings.file

    def health(self):
        """Count the lines of others."""
        return SourceHealth([], {'lines of others': self._unknown})


class Punch:
    """An emulator: appends what devices measure to a tape."""

    kinds, Settings, SensorSettings = Tape.kinds, TapeSettings, TapeSensorSettings

    def __init__(self, sensors, settings, each):
        self._file, self._each = Path(settings.file), each

    def open(self):
        """Take an empty tape."""
        self._file.write_text('')

    def take(self, sensor, stamp, values):
        """Punch a line."""
        with self._file.open('a') as file:
            file.write(' '.join([self._each[sensor.name].mark_of(sensor), str(stamp),
                                 *map(repr, values)]) + '\n')

    def close(self):
        """Take the tape away."""
        self._file.unlink(missing_ok=True)
