"""Transmitters of 4 to 20 mA at an analog-digital converter of Linux's industrial I/O subsystem."""

from pathlib import Path

from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sources.analog.analog_buffer import BufferedChannels
from mb_sensors.sources.analog.analog_polled import PolledChannels
from mb_sensors.sources.analog.analog_settings import AnalogSensorSettings, AnalogSettings
from mb_sensors.sources.analog.transmitter import Transmitter
from mb_sensors.sources.source import SourceError, SourceHealth


class Analog:
    """A Source: all transmitters of a driver at one converter."""

    kinds = ('pressure', 'distance', 'linear_encoder', 'angle_encoder')
    Settings = AnalogSettings
    SensorSettings = AnalogSensorSettings
    device_clock_period = NANOSECONDS       # it has none
    emulator = 'mb_sensors.sources.analog.converter:Converter'

    @staticmethod
    def reach(settings, one):
        """Return the settings that reach any sensor."""
        return settings

    def __init__(self, sensors, settings, each):
        self._settings = settings
        self._transmitters = [Transmitter(sensor, each[sensor.name]) for sensor in sensors]
        channels = BufferedChannels if settings.buffered else PolledChannels
        self._channels = channels(self._transmitters, settings)

    def open(self):
        """Find the converter and its channels."""
        device = self._found()
        for transmitter in self._transmitters:
            try:
                transmitter.open(device)
            except (OSError, ValueError) as error:
                raise SourceError(f'{transmitter.sensor.name}: {error}') from error
        try:
            self._channels.open(device)
        except (OSError, ValueError) as error:
            raise self._cut(error) from error

    def read(self, timeout):
        """Wait for readings, and return them."""
        try:
            return self._channels.read(timeout)
        except (OSError, ValueError) as error:
            raise self._cut(error) from error

    def close(self):
        """Let go of the converter."""
        self._channels.close()

    @property
    def place(self):
        """The converter, as the user names it."""
        return self._settings.device

    def health(self):
        """Report broken wires, and count readings that were left out."""
        faults = [f'{t.sensor.name}: {t.failure}' for t in self._transmitters if t.failure]
        counts = {f'{t.sensor.name} beyond its limits': t.beyond for t in self._transmitters}
        return SourceHealth(faults, counts | self._channels.counts())

    def _cut(self, error):
        return SourceError(f'{self.place}: {error}')

    def _found(self):
        """Return the folder of the converter, by the name of the folder or of the device."""
        folder, wanted = Path(self._settings.folder), self._settings.device
        if (folder / wanted).is_dir():
            return folder / wanted
        names = {path.parent: path.read_text().strip()
                 for path in sorted(folder.glob('iio:device*/name'))}
        for device, name in names.items():
            if name == wanted:
                return device
        known = ', '.join(f'{device.name} ({name})' for device, name in names.items()) or 'none'
        raise SourceError(f'{folder}: no device {wanted}; there are: {known}')
