"""An analog-digital converter of the industrial I/O subsystem, as a folder of files."""

import os
from pathlib import Path

from mb_sensors.protocols import current_loop
from mb_sensors.sources.analog import Analog
from mb_sensors.sources.analog_settings import AnalogSensorSettings, AnalogSettings
from mb_sensors.sources.source import SourceError

_NAME = 'emulated-adc'
_SCALE, _OFFSET = 2.0 ** -11, -1000         # [mV or mA], [counts]


class Converter:
    """An emulator: the converter with a transmitter for every sensor."""

    kinds = Analog.kinds
    Settings = AnalogSettings
    SensorSettings = AnalogSensorSettings

    def __init__(self, sensors, settings, each):
        for sensor in sensors:
            each[sensor.name].check(sensor.name)
        self._device = Path(settings.folder) / settings.device
        self._each = each
        self._broken = set()

    def open(self):
        """Make the folder.  Raises SourceError where there is another one."""
        name = self._device / 'name'
        if self._device.exists() and not (name.exists() and name.read_text().strip() == _NAME):
            raise SourceError(f'{self._device}: is there already, and not an emulated device')
        self._device.mkdir(parents=True, exist_ok=True)
        self._write('name', _NAME)
        for sensor, settings in self._each.items():
            self._write(f'in_{settings.channel}_scale', repr(_SCALE))
            self._write(f'in_{settings.channel}_offset', str(_OFFSET))
            self._tell(sensor, settings.at_4_ma)

    def take(self, sensor, stamp, values):
        """Let a transmitter measure."""
        self._tell(sensor.name, float(values[0]))

    def break_wire(self, name, broken):
        """Break the wire to a transmitter, or mend it."""
        (self._broken.add if broken else self._broken.discard)(name)
        self._tell(name, self._each[name].at_4_ma)

    def close(self):
        """Remove the device."""
        if self._device.exists():
            for file in self._device.iterdir():
                file.unlink()
            self._device.rmdir()

    def _tell(self, name, value):
        settings = self._each[name]
        current = current_loop.current(value, settings.at_4_ma, settings.at_20_ma)
        current *= name not in self._broken
        self._write(f'in_{settings.channel}_raw',
                    str(round(current / settings.milliamperes / _SCALE) - _OFFSET))

    def _write(self, file, text):
        """Replace the content of a file: who reads it sees the old or the new."""
        new = self._device / f'.{file}'
        new.write_text(text + '\n')
        os.replace(new, self._device / file)
