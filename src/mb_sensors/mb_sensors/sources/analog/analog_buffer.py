"""Readings of a converter that the system takes at the pace of a trigger, fetched in batches.

Scans wait in the system's buffer with the time at which they were taken, so none is lost while the
driver is busy.  Source: Documentation/driver-api/iio/buffers.rst of Linux.
"""

from collections.abc import Sequence
from contextlib import suppress
import errno
import os
from pathlib import Path
import time
from typing import Any

import numpy as np

from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sources.analog.iio_scan import element_values, scan_element, scan_layout
from mb_sensors.sources.analog.transmitter import Transmitter

_TIME = 'timestamp'
_CLOCK = 'realtime'         # the clock of stamps, as of time.time_ns()
_LENGTH = 2.0               # how long the buffer takes scans while they are not fetched [s]
_LARGEST_BATCH = 1024       # scans of one read
_RATE_ERROR = 0.01          # of the pace, relative


class BufferedChannels:
    """All Transmitters at one converter, in the scans of its buffer."""

    def __init__(self, transmitters: Sequence[Transmitter], settings: Any) -> None:
        """Set up for AnalogSettings.  Raises SensorError for Transmitters of different rates."""
        rates = {one.sensor.rate for one in transmitters}
        if len(rates) > 1:
            given = ', '.join(f'{one.sensor.name}.rate: {one.sensor.rate:g}'
                              for one in transmitters)
            raise SensorError(f'{given} must be the same: one trigger paces all buffered channels')
        self._rate = rates.pop()
        self._transmitters = transmitters
        self._settings = settings
        self._enable = self._file = None
        self._arrival = 0           # of the last scan [ns]

    def open(self, device: Path):
        """Set the buffer up and start it.  Raises OSError, ValueError."""
        folder = device / 'buffer'
        self._enable = folder / 'enable'
        _set(self._enable, '0')
        elements = self._elements(device / 'scan_elements')
        self._set_pace(device)
        clock = device / 'current_timestamp_clock'
        if _TIME in elements and clock.exists():
            _set(clock, _CLOCK)
        _set(folder / 'length', str(max(2, round(self._rate * _LENGTH))))
        self._layout = scan_layout(elements.values())
        self._time = elements.get(_TIME)
        self._channels = [(one, elements[one.channel]) for one in self._transmitters]
        self._file = os.open(Path(self._settings.device_files) / device.name,
                             os.O_RDONLY | os.O_NONBLOCK)
        while self._fetch():        # of an earlier run
            pass
        self._arrival = 0
        _set(self._enable, '1')

    def read(self, timeout: float):
        """Let a batch come, and return the Samples in it.  Raises OSError, ValueError."""
        time.sleep(min(timeout, self._settings.batch))
        data = self._fetch()
        now = time.time_ns()
        if len(data) % self._layout.itemsize:
            raise ValueError(f'{len(data)} bytes are no whole scans of {self._layout.itemsize}')
        scans = np.frombuffer(data, self._layout)
        if not len(scans):
            return []
        values = [element_values(scans, element).tolist() for _, element in self._channels]
        samples = [transmitter.sample(raw, arrival)
                   for arrival, *raws in zip(self._arrivals(scans, now), *values, strict=True)
                   for (transmitter, _), raw in zip(self._channels, raws, strict=True)]
        return [sample for sample in samples if sample is not None]

    def close(self):
        """Stop the buffer."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
            with suppress(OSError):     # the device may be gone
                _set(self._enable, '0')

    def counts(self):
        """Return nothing: what the buffer lost shows in the stamps."""
        return {}

    def _elements(self, folder: Path):
        """Choose what is in a scan; return its ScanElements by channel."""
        wanted = [*(one.channel for one in self._transmitters), _TIME]
        for path in sorted(folder.glob('in_*_en')):
            _set(path, str(int(path.name[3:-3] in wanted)))
        elements = {}
        for channel in wanted:
            index, kind = folder / f'in_{channel}_index', folder / f'in_{channel}_type'
            if index.exists():
                elements[channel] = scan_element(
                    channel, int(index.read_text()), kind.read_text().strip())
            elif channel != _TIME:
                raise ValueError(f'{folder}: the buffer has no channel {channel}')
        return elements

    def _set_pace(self, device: Path):
        """Select the trigger, and set the rate of it or, without one, of the converter."""
        chosen, paced = device / 'trigger' / 'current_trigger', device
        if chosen.exists():
            if self._settings.trigger:
                _set(chosen, self._settings.trigger)
            paced = _trigger(device.parent, chosen.read_text().strip())
        for path in (paced / 'sampling_frequency', *sorted(paced.glob('in_*sampling_frequency'))):
            if path.exists() and not self._is_pace(path):
                path.write_text(f'{self._rate:g}')
                if not self._is_pace(path):
                    raise ValueError(f'{path}: is {path.read_text().strip()} Hz, expected '
                                     f'{self._rate:g}')

    def _is_pace(self, path: Path):
        return abs(float(path.read_text()) - self._rate) <= _RATE_ERROR * self._rate

    def _fetch(self):
        """Return the bytes of scans that are there."""
        try:
            data = os.read(self._file, _LARGEST_BATCH * self._layout.itemsize)
        except BlockingIOError:
            return b''
        if not data:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return data

    def _arrivals(self, scans: np.ndarray, now: int):
        """Return when the scans were taken [ns]."""
        if self._time is not None:
            return element_values(scans, self._time).tolist()
        period = round(NANOSECONDS / self._rate)
        arrivals = []
        for age in range(len(scans) - 1, -1, -1):
            # A batch that was fetched late must not change the order.
            self._arrival = max(now - age * period, self._arrival + period // 2)
            arrivals.append(self._arrival)
        return arrivals


def _set(path: Path, value: str):
    """Write an attribute unless it has the value: a user with permission may have set it."""
    if path.read_text().strip() != value:
        path.write_text(value)


def _trigger(folder: Path, name: str):
    """Return the folder of a trigger.  Raises ValueError where there is none of that name."""
    names = {path.read_text().strip(): path.parent for path in sorted(folder.glob('trigger*/name'))}
    if name not in names:
        raise ValueError(f'{folder}: no trigger {name or "is chosen"}; there are: '
                         f'{", ".join(names) or "none"}')
    return names[name]
