"""The buffer of an emulated converter: its attributes, its trigger and its device file."""

from contextlib import suppress
import os
from pathlib import Path
import shutil
import time

import numpy as np

from mb_sensors.sources.analog.iio_scan import put_value, scan_element, scan_layout

_TIME = 'timestamp'
_TYPES = {_TIME: 'le:s64/64>>0'}
_TYPE = 'be:u24/32>>8'
_TRIGGER, _TRIGGER_NAME = 'trigger0', 'emulated-trigger'


class ScanBuffer:
    """A named pipe in the place of the device file; scans go there while the buffer is enabled.

    lost: scans for which there was no room.
    """

    def __init__(self, device, device_files, channels):
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
            (self._device / folder).mkdir(exist_ok=True)
            for name, value in attributes.items():
                (self._device / folder / name).write_text(value + '\n')
        self._path.parent.mkdir(exist_ok=True)
        self._path.unlink(missing_ok=True)
        os.mkfifo(self._path)
        self._pipe = os.open(self._path, os.O_RDWR | os.O_NONBLOCK)

    @property
    def enabled(self):
        """Whether the driver has started the buffer."""
        return self._attribute('buffer/enable') == '1'

    def put(self, values):
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

    def _attribute(self, name):
        with suppress(FileNotFoundError):
            return (self._device / name).read_text().strip()
        return ''
