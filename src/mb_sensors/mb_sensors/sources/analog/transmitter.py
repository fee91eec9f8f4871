"""One transmitter of 4 to 20 mA: from what the converter reads to a Sample.

Source: NAMUR NE 43: 3.8 to 20.5 mA are measurements, below 3.6 and above 21 mA are failures.
"""

from pathlib import Path
from typing import Any

from mb_sensors.sensor import Sensor
from mb_sensors.sources import Sample

_ZERO, _SPAN = 4.0, 16.0                    # [mA]
_LOWEST, _HIGHEST = 3.8, 20.5               # of measurements [mA]
_BROKEN, _SHORTED = 3.6, 21.0               # failures beyond these [mA]


def failure_of(current: float):
    """Return the failure that a current [mA] shows, an empty text if none."""
    if current < _BROKEN:
        return f'broken wire ({current:.2f} mA)'
    if current > _SHORTED:
        return f'short circuit or failed transmitter ({current:.2f} mA)'
    return ''


def value_of(current: float, at_zero: float, at_full: float):
    """Return what a current [mA] measures, None if it is none; at_zero at 4, at_full at 20 mA."""
    if not _LOWEST <= current <= _HIGHEST:
        return None
    return at_zero + (current - _ZERO) / _SPAN * (at_full - at_zero)


def current_of(value: float, at_zero: float, at_full: float):
    """Return the current [mA] of a transmitter, which saturates at its limits."""
    exact = _ZERO + _SPAN * (value - at_zero) / (at_full - at_zero)
    return min(_HIGHEST, max(_LOWEST, exact))


class Transmitter:
    """One channel of the converter.

    channel: its name; failure: what its current says is wrong; beyond: readings outside what it can
    measure.
    """

    def __init__(self, sensor: Sensor, settings: Any) -> None:
        """Set up for a Sensor and AnalogSensorSettings.  Raises SettingError."""
        settings.check(sensor.name)
        self.sensor = sensor
        self.channel = settings.channel
        self.failure = ''
        self.beyond = 0
        self._settings = settings

    def open(self, device: Path):
        """Find the channel in the folder of the device.  Raises OSError, ValueError."""
        self._scale = _number(device, self.channel, 'scale', None) * self._settings.milliamperes
        self._offset = _number(device, self.channel, 'offset', 0.0)

    def sample(self, raw: float, arrival: int):
        """Return the Sample of an instant [ns], None if it is no measurement."""
        current = (raw + self._offset) * self._scale        # [mA]
        self.failure = failure_of(current)
        value = value_of(current, self._settings.at_4_ma, self._settings.at_20_ma)
        if value is None:
            self.beyond += not self.failure
            return None
        return Sample(self.sensor.name, arrival, (value,))


def _number(device: Path, channel: str, what: str, default: float | None):
    """Return an attribute of a channel, or of all channels of its type (voltage0, voltage)."""
    for name in (channel, channel.rstrip('0123456789')):
        path = device / f'in_{name}_{what}'
        if path.exists():
            return float(path.read_text())
    if default is None:
        raise ValueError(f'{device.name}: channel {channel} has no {what}')
    return default
