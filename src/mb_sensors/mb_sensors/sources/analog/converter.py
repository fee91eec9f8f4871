"""An analog-digital converter of the industrial I/O subsystem, as a folder of files."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
import os
from pathlib import Path
import shutil
import time

import numpy as np

from mb_model.file_api import own_folder
from mb_sensors.sensor import Sensor
from mb_sensors.sources import Emulator, SourceError
from mb_sensors.sources.analog import Analog, AnalogSensorSettings, AnalogSettings
from mb_sensors.sources.analog.iio_scan import put_value, scan_element, scan_layout
from mb_sensors.sources.analog.transmitter import current_of

_TIME = 'timestamp'
_TYPES = {_TIME: 'le:s64/64>>0'}
_TYPE = 'be:u24/32>>8'
_TRIGGER, _TRIGGER_NAME = 'trigger0', 'emulated-trigger'


class ScanBuffer:
    """A named pipe in place of the device file; scans go there while the buffer is enabled.

    lost: scans for which there was no room.
    """

    def __init__(self, device: Path, device_files: str, channels: Sequence[str]) -> None:
        """Set up for the folders of a device and of its device file, and names of channels."""
        self.lost = 0
        self._device = device
        self._path = Path(device_files) / device.name
        self._elements = [scan_element(name, index, _TYPES.get(name, _TYPE))
                          for index, name in enumerate((*channels, _TIME))]
        self._pipe = None
        self._chosen = None         # the elements of a scan, while the buffer is enabled

    def open(self):
        """Make attributes, trigger and device file."""
        folders = {'buffer': {'enable': '0', 'length': '2'},
                   'trigger': {'current_trigger': _TRIGGER_NAME},
                   f'../{_TRIGGER}': {'name': _TRIGGER_NAME, 'sampling_frequency': '100'},
                   '.': {'current_timestamp_clock': 'monotonic'}, 'scan_elements': {}}
        for element in self._elements:
            folders['scan_elements'] |= {
                f'in_{element.name}_en': '0', f'in_{element.name}_index': str(element.index),
                f'in_{element.name}_type': _TYPES.get(element.name, _TYPE)}
        for folder, attributes in folders.items():
            own_folder(self._device / folder)
            for name, value in attributes.items():
                (self._device / folder / name).write_text(value + '\n')
        own_folder(self._path.parent)
        self._path.unlink(missing_ok=True)
        os.mkfifo(self._path)
        self._pipe = os.open(self._path, os.O_RDWR | os.O_NONBLOCK)

    @property
    def enabled(self):
        """Whether the driver has started the buffer."""
        return self._attribute('buffer/enable') == '1'

    def put(self, values: Mapping[str, int]):
        """Take the scan of an instant: raw values by channel."""
        if not self.enabled:
            self._chosen = None
            return
        if self._chosen is None:
            self._chosen = [element for element in self._elements
                            if self._attribute(f'scan_elements/in_{element.name}_en') == '1']
            self._layout = scan_layout(self._chosen)
        scan = np.zeros(1, self._layout)
        for element in self._chosen:
            put_value(scan, element, time.time_ns() if element.name == _TIME
                      else values[element.name])
        try:
            os.write(self._pipe, scan.tobytes())
        except BlockingIOError:
            self.lost += 1

    def close(self):
        """Unplug."""
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None
            self._path.unlink(missing_ok=True)
            shutil.rmtree(self._device.parent / _TRIGGER, ignore_errors=True)

    def _attribute(self, name: str):
        with suppress(FileNotFoundError):
            return (self._device / name).read_text().strip()
        return ''


_NAME = 'emulated-adc'
_SCALE, _OFFSET = 2.0 ** -11, -1000         # [mV or mA], [counts]


class Converter(Emulator, of=Analog):
    """An emulator: the converter with a transmitter for every sensor.

    buffer: its ScanBuffer, None unless the settings ask for one.
    """

    def __init__(self, sensors: Sequence[Sensor], settings: AnalogSettings,
                 each: Mapping[str, AnalogSensorSettings]) -> None:
        super().__init__(sensors)
        for sensor in sensors:
            each[sensor.name].check(sensor.name)
        self._device = Path(settings.folder) / settings.device
        self._each = each
        self._made = False
        self._broken = set()
        self._raw = {}              # by channel
        self.buffer = ScanBuffer(
            self._device, settings.device_files, [one.channel for one in each.values()]
        ) if settings.buffered else None

    def open(self):
        """Make the folder.  Raises SourceError where there is another one."""
        name = self._device / 'name'
        if self._device.exists() and not (name.exists() and name.read_text().strip() == _NAME):
            raise SourceError(f'{self._device}: is there already, and not an emulated device')
        own_folder(self._device)
        self._made = True
        self._write('name', _NAME)
        for sensor, settings in self._each.items():
            self._write(f'in_{settings.channel}_scale', repr(_SCALE))
            self._write(f'in_{settings.channel}_offset', str(_OFFSET))
            self._set_current(sensor, settings.at_4_ma)
        if self.buffer is not None:
            self.buffer.open()

    def measure(self, sensor: Sensor, values: Sequence[float]):
        """Let a transmitter measure."""
        self._set_current(sensor.name, float(values[0]))

    def send(self, _stamp: int):
        """Buffer the values of the transmitters."""
        if self.buffer is not None:
            self.buffer.put(self._raw)

    def break_wire(self, name: str, broken: bool):
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

    def _set_current(self, name: str, value: float):
        settings = self._each[name]
        current = current_of(value, settings.at_4_ma, settings.at_20_ma)
        current *= name not in self._broken
        raw = round(current / settings.milliamperes / _SCALE) - _OFFSET
        self._raw[settings.channel] = raw
        if self.buffer is None:
            self._write(f'in_{settings.channel}_raw', str(raw))

    def _write(self, file: str, text: str):
        """Replace the content of a file: a reader sees the old or the new."""
        new = self._device / f'.{file}'
        new.write_text(text + '\n')
        os.replace(new, self._device / file)
