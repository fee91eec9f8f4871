"""One transmitter of 4 to 20 mA: from what the converter reads to a Sample."""

from mb_sensors.sources.analog import current_loop
from mb_sensors.sources.source import Sample


class Transmitter:
    """One channel of the converter.

    channel: its name; failure: what its current says is wrong; beyond: readings outside what it can
    measure.
    """

    def __init__(self, sensor, settings):
        """Set up for a Sensor and AnalogSensorSettings.  Raises SettingError."""
        settings.check(sensor.name)
        self.sensor = sensor
        self.channel = settings.channel
        self.failure = ''
        self.beyond = 0
        self._settings = settings

    def open(self, device):
        """Find the channel in the folder of the device.  Raises OSError, ValueError."""
        self._scale = _number(device, self.channel, 'scale', None) * self._settings.milliamperes
        self._offset = _number(device, self.channel, 'offset', 0.0)

    def sample(self, raw, arrival):
        """Return the Sample of an instant [ns], None if it is no measurement."""
        current = (raw + self._offset) * self._scale        # [mA]
        self.failure = current_loop.failure(current)
        value = current_loop.value(current, self._settings.at_4_ma, self._settings.at_20_ma)
        if value is None:
            self.beyond += not self.failure
            return None
        return Sample(self.sensor.name, arrival, (value,))


def _number(device, channel, what, default):
    """Return an attribute of a channel, or of all channels of its type (voltage0, voltage)."""
    for name in (channel, channel.rstrip('0123456789')):
        path = device / f'in_{name}_{what}'
        if path.exists():
            return float(path.read_text())
    if default is None:
        raise ValueError(f'{device.name}: channel {channel} has no {what}')
    return default
