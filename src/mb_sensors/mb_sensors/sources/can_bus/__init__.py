"""CANopen encoders and pressure transmitters on a CAN bus, through any interface of python-can."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
import logging
import os
import queue
import socket
import stat
import threading
import time

import can

from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sensor import Sensor
from mb_sensors.sources import SourceError, SourceHealth
from mb_sensors.sources.can_bus.can_device import CanDevice
from mb_sensors.sources.can_bus.can_network import CanNetwork
from mb_sensors.sources.can_bus.can_settings import CanSensorSettings, CanSettings
from mb_sensors.sources.can_bus.canopen_profiles import TIME_STAMP_PERIOD

_BUS_OFF = 0x40             # in the identifier of an error frame, as in linux/can/error.h
_SYNC = 0x80
_ROOM = 2 ** 22             # for frames that wait [byte]; the system may allow less
_LOOK_PERIOD = 0.02         # between two looks at the devices [s]
_OTHER_EPOCH = 10.0         # difference [s] from which on interfaces do not stamp with our clock

# What they would log there is in the diagnostics.
for _name in ('can', 'canopen'):
    logging.getLogger(_name).setLevel(logging.CRITICAL)


class CanBus:
    """A Source: all CANopen devices of a driver on one bus.

    Three threads: one of the bus takes all frames, an attendant sets devices up and waits for their
    answers, and read() returns samples independently of other devices.
    """

    kinds = ('angle_encoder', 'relative_angle_encoder', 'linear_encoder', 'distance', 'pressure')
    Settings = CanSettings
    SensorSettings = CanSensorSettings
    device_clock_period = TIME_STAMP_PERIOD
    emulator = 'mb_sensors.sources.can_bus.can_nodes:CanNodes'

    def __init__(self, sensors: Sequence[Sensor], settings: CanSettings,
                 each: Mapping[str, CanSensorSettings]) -> None:
        self._settings = settings
        self._arguments = settings.bus_arguments()
        self._synchronous = {name for name, one in each.items() if one.synchronous}
        self._devices = [CanDevice(sensor, each[sensor.name], settings.heartbeat)
                         for sensor in sensors]
        owners = {}
        for sensor in sensors:
            other = owners.setdefault(each[sensor.name].node_id, sensor.name)
            if other != sensor.name:
                raise SensorError(f'{sensor.name}.can.node_id: {each[sensor.name].node_id} is '
                                  f'taken by {other}')
        self._network = None
        self._sync_task = self._attendant = None
        self._stop = threading.Event()
        self._problem = None        # of the attendant
        self._samples = queue.SimpleQueue()
        self._sync = 0              # when the last SYNC passed [ns]
        self._bus_off = False
        self._error_frames = 0

    def open(self):
        """Connect to the bus; the attendant sets the devices up, each for itself."""
        self._bus_off, self._problem = False, None
        self._samples = queue.SimpleQueue()
        self._network = CanNetwork()
        self._network.listeners.append(_ErrorListener(self))
        self._network.subscribe(_SYNC, lambda _id, _data, stamp: self._on_sync(stamp))
        try:
            self._network.connect(**self._arguments)
            _make_room(self._network.bus)
            for device in self._devices:
                device.attach(self._network, self._taken(device), self._samples.put)
            if self._settings.sync_rate:
                self._sync_task = self._network.bus.send_periodic(
                    can.Message(arbitration_id=_SYNC, is_extended_id=False),
                    1.0 / self._settings.sync_rate,
                    modifier_callback=lambda _message: self._on_sync(time.time()))
        except SourceError:
            raise
        except Exception as error:      # interfaces raise whatever their libraries do
            raise self._cut(_first_line(error)) from error
        self._stop.clear()
        self._attendant = threading.Thread(target=self._attend, name='attendant', daemon=True)
        self._attendant.start()

    def read(self, timeout: float):
        """Return what the devices sent."""
        try:
            self._network.check()
        except can.CanError as error:
            raise self._cut(_first_line(error)) from error
        if self._bus_off or self._problem:
            raise self._cut(self._problem or 'bus-off')
        samples = []
        try:
            samples.append(self._samples.get(timeout=timeout))
            while True:
                samples.append(self._samples.get_nowait())
        except queue.Empty:
            return samples

    def close(self):
        """Leave the bus."""
        self._stop.set()
        if self._attendant is not None:
            self._attendant.join()
            self._attendant = None
        for device in self._devices:
            device.leave()
        if self._sync_task is not None:
            self._sync_task.stop()
            self._sync_task = None
        network, self._network = self._network, None
        if network is not None:
            try:
                network.disconnect()
            except Exception as error:      # the cause is reported already
                logging.getLogger(__name__).debug('%s', error)

    @property
    def device(self):
        """The bus, as the user names it."""
        return f'{self._settings.interface} {self._settings.channel}'

    def health(self):
        """Report the faults of devices, and count readings that were left out."""
        counts = {'error frames': self._error_frames,
                  'no frames': self._network.garbage if self._network else 0}
        for device in self._devices:
            for what in ('malformed', 'implausible', 'withheld', 'emergencies'):
                counts[f'{device.sensor.name} {what}'] = getattr(device, what)
            if device.turns:
                counts[f'{device.sensor.name} turns'] = device.turns
        faults = [device.present_fault for device in self._devices if device.present_fault]
        return SourceHealth(faults, counts)

    def _attend(self):
        while not self._stop.wait(_LOOK_PERIOD):
            try:
                for device in self._devices:
                    device.look_after()
            except Exception as error:      # a thread must not end in silence
                self._problem = _first_line(error)
                return

    def _cut(self, reason: str):
        return SourceError(f'{self.device}: {reason}')

    def _taken(self, device: CanDevice):
        """Return the function for the time at which the value of a PDO was taken [ns]."""
        if device.sensor.name in self._synchronous:
            return lambda _timestamp: self._sync
        return _nanoseconds

    def _on_sync(self, timestamp: float):
        self._sync = _nanoseconds(timestamp)

    def on_error_frame(self, message: can.Message):
        """Count an error frame, and see whether it says that we are off the bus."""
        self._error_frames += 1
        self._bus_off |= bool(message.arbitration_id & _BUS_OFF)


class _ErrorListener(can.Listener):
    """Receives frames that canopen ignores."""

    def __init__(self, source: 'CanBus') -> None:
        self._source = source

    def on_message_received(self, message: can.Message):
        if message.is_error_frame:
            self._source.on_error_frame(message)

    def on_error(self, error: BaseException):
        """Nothing to do: the notifier keeps the error, Network.check() raises it."""


def _first_line(error: BaseException):
    """Return the text of an error, at least its kind; a system error's without its number."""
    text = getattr(error, 'strerror', None) or str(error)
    return text.partition('\n')[0] or type(error).__name__


def _make_room(bus: can.BusABC):
    """Let the system keep as many frames as it may while this process is busy."""
    with suppress(NotImplementedError, OSError):        # the interface has no file
        if stat.S_ISSOCK(os.fstat(bus.fileno()).st_mode):
            with socket.socket(fileno=os.dup(bus.fileno())) as same:
                same.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _ROOM)


def _nanoseconds(timestamp: float):
    """Return when a message came [ns] from the stamp of its interface [s]."""
    now = time.time_ns()
    stamp = round(timestamp * NANOSECONDS)
    return stamp if abs(stamp - now) < _OTHER_EPOCH * NANOSECONDS else now
