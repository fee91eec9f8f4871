"""An analog-digital converter of the industrial I/O subsystem, as a folder of files."""

import os
from pathlib import Path
import shutil

from mb_sensors.sources.analog import current_loop
from mb_sensors.sources.analog.analog import Analog
from mb_sensors.sources.analog.scan_buffer import ScanBuffer
from mb_sensors.sources.source import SourceError

_NAME = 'emulated-adc'
_SCALE, _OFFSET = 2.0 ** -11, -1000         # [mV or mA], [counts]


class Converter:
    """An emulator: the converter with a transmitter for every sensor.

    buffer: its ScanBuffer, None unless the settings ask for one.
    """

    kinds = Analog.kinds
    Settings = Analog.Settings
    SensorSettings = Analog.SensorSettings
    reach = staticmethod(Analog.reach)

    def __init__(self, sensors, settings, each):
        for sensor in sensors:
            each[sensor.name].check(sensor.name)
        self._device = Path(settings.folder) / settings.device
        self._each = each
        self._made = False
        self._broken = set()
        self._raw = {}              # by channel
        self._stamp, self._taken = None, set()      # of the scan that is being filled
        self.buffer = ScanBuffer(
            self._device, settings.device_files, [one.channel for one in each.values()]
        ) if settings.buffered else None

    def open(self):
        """Make the folder.  Raises SourceError where there is another one."""
        name = self._device / 'name'
        if self._device.exists() and not (name.exists() and name.read_text().strip() == _NAME):
            raise SourceError(f'{self._device}: is there already, and not an emulated device')
        self._device.mkdir(parents=True, exist_ok=True)
        self._made = True
        self._write('name', _NAME)
        for sensor, settings in self._each.items():
            self._write(f'in_{settings.channel}_scale', repr(_SCALE))
            self._write(f'in_{settings.channel}_offset', str(_OFFSET))
            self._set_current(sensor, settings.at_4_ma)
        if self.buffer is not None:
            self.buffer.open()

    def take(self, sensor, stamp, values):
        """Let a transmitter measure; an instant is over when all did, or the next has begun."""
        if stamp != self._stamp:
            self._scan()
            self._stamp = stamp
        self._set_current(sensor.name, float(values[0]))
        self._taken.add(sensor.name)
        if len(self._taken) == len(self._each):
            self._scan()

    def break_wire(self, name, broken):
        """Break the wire to a transmitter, or mend it."""
        (self._broken.add if broken else self._broken.discard)(name)
        self._set_current(name, self._each[name].at_4_ma)

    def close(self):
        """Remove the device."""
        if self.buffer is not None:
            self.buffer.close()
        if self._made:
            shutil.rmtree(self._device)
            self._made = False

    def _scan(self):
        """Buffer the values of the transmitters."""
        if self._taken and self.buffer is not None:
            self.buffer.put(self._raw)
        self._taken.clear()

    def _set_current(self, name, value):
        settings = self._each[name]
        current = current_loop.current(value, settings.at_4_ma, settings.at_20_ma)
        current *= name not in self._broken
        raw = round(current / settings.milliamperes / _SCALE) - _OFFSET
        self._raw[settings.channel] = raw
        if self.buffer is None:
            self._write(f'in_{settings.channel}_raw', str(raw))

    def _write(self, file, text):
        """Replace the content of a file: a reader sees the old or the new."""
        new = self._device / f'.{file}'
        new.write_text(text + '\n')
        os.replace(new, self._device / file)
