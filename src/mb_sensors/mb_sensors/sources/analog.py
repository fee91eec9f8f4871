"""Transmitters of 4 to 20 mA at an analog-digital converter of Linux's industrial I/O subsystem."""

from pathlib import Path
import time

from mb_sensors.protocols import current_loop
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sources.analog_settings import AnalogSensorSettings, AnalogSettings
from mb_sensors.sources.source import Sample, SourceError, SourceHealth


class Transmitter:
    """One channel of the converter.

    failure: what its current says is wrong; beyond: readings outside what it can measure; late:
    readings that were not taken because the machine was busy.
    """

    def __init__(self, sensor, settings):
        settings.check(sensor.name)
        self.failure = ''
        self.beyond = self.late = 0
        self.due = 0                # when the next reading is to be taken [ns], monotonic
        self._sensor = sensor
        self._settings = settings
        self._period = round(NANOSECONDS / sensor.rate)

    def open(self, device):
        """Find the channel in the folder of the device.  Raises OSError, ValueError."""
        channel = self._settings.channel
        self._raw = device / f'in_{channel}_raw'
        self._scale = _number(device, channel, 'scale', None) * self._settings.milliamperes
        self._offset = _number(device, channel, 'offset', 0.0)
        self._current()
        self.due = time.monotonic_ns()

    def sample(self):
        """Take the reading that is due; return a Sample or None."""
        behind = (time.monotonic_ns() - self.due) // self._period
        self.late += behind
        self.due += (behind + 1) * self._period
        before = time.time_ns()
        current = self._current()
        arrival = (before + time.time_ns()) // 2        # the conversion is within the read
        self.failure = current_loop.failure(current)
        value = current_loop.value(current, self._settings.at_4_ma, self._settings.at_20_ma)
        if value is None:
            self.beyond += not self.failure
            return None
        return Sample(self._sensor.name, arrival, (value,))

    def _current(self):
        """Return the current in the loop [mA]."""
        return (float(self._raw.read_text()) + self._offset) * self._scale


class Analog:
    """A Source: all transmitters of a driver at one converter, each read at its sensor's rate."""

    kinds = ('pressure', 'distance', 'linear_encoder', 'angle_encoder')
    Settings = AnalogSettings
    SensorSettings = AnalogSensorSettings
    device_clock_period = NANOSECONDS       # it has none

    def __init__(self, sensors, settings, each):
        self._settings = settings
        self._transmitters = {
            sensor.name: Transmitter(sensor, each[sensor.name]) for sensor in sensors}

    def open(self):
        """Find the converter and its channels."""
        device = self._found()
        for name, transmitter in self._transmitters.items():
            try:
                transmitter.open(device)
            except (OSError, ValueError) as error:
                raise SourceError(f'{name}: {error}') from error

    def read(self, timeout):
        """Wait for the next reading that is due, and take it."""
        transmitters = self._transmitters.values()
        wait = min(t.due for t in transmitters) - time.monotonic_ns()
        if wait > 0:
            time.sleep(min(timeout, wait / NANOSECONDS))
        now = time.monotonic_ns()
        try:
            samples = [t.sample() for t in transmitters if t.due <= now]
        except (OSError, ValueError) as error:
            raise SourceError(f'{self._settings.device}: {error}') from error
        return [sample for sample in samples if sample is not None]

    def close(self):
        """Nothing is held."""

    def health(self):
        """Tell broken wires, and count what was left out."""
        faults = [f'{name}: {t.failure}' for name, t in self._transmitters.items() if t.failure]
        counts = {}
        for name, transmitter in self._transmitters.items():
            counts[f'{name} beyond its limits'] = transmitter.beyond
            counts[f'{name} not taken in time'] = transmitter.late
        return SourceHealth(faults, counts)

    def _found(self):
        """Return the folder of the converter, by the name of the folder or of the device."""
        folder, wanted = Path(self._settings.folder), self._settings.device
        if (folder / wanted).is_dir():
            return folder / wanted
        names = {path.parent: path.read_text().strip() for path in sorted(folder.glob('*/name'))}
        for device, name in names.items():
            if name == wanted:
                return device
        known = ', '.join(f'{device.name} ({name})' for device, name in names.items()) or 'none'
        raise SourceError(f'{folder}: no device {wanted}; there are: {known}')


def _number(device, channel, what, default):
    """Return an attribute of a channel, or of all channels of its type (voltage0, voltage)."""
    for name in (channel, channel.rstrip('0123456789')):
        path = device / f'in_{name}_{what}'
        if path.exists():
            return float(path.read_text())
    if default is None:
        raise ValueError(f'{device.name}: channel {channel} has no {what}')
    return default
