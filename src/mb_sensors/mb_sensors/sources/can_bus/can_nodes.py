"""CANopen encoders and pressure transmitters, as nodes on any bus of python-can."""

from collections.abc import Callable, Mapping, Sequence
from math import pi
import threading
from typing import Any

import can
import canopen

from mb_sensors.sensor import Sensor
from mb_sensors.sources import Emulator, SourceError
from mb_sensors.sources.can_bus import CanBus
from mb_sensors.sources.can_bus.can_network import CanNetwork
from mb_sensors.sources.can_bus.can_settings import CanSensorSettings
from mb_sensors.sources.can_bus.canopen_profiles import (
    DEVICE_TYPE,
    ENCODER,
    ERROR_REGISTER,
    RESOLUTION,
    REVOLUTIONS,
    STATUS,
    TIME_STAMP,
    TRANSMITTER,
    object_dictionary,
)

_COUNTS, _TURNS = 2 ** 18, 4096     # of rotary encoders, unless the settings say otherwise
_STEP = 1000                        # of linear encoders [nm]
_EVENT = 254                        # least type of PDOs that are sent when there is a reading
_SYNC = 0x80
_FAULT, _NO_FAULT = 0x5000, 0x0000


class CanNode:
    """One emulated device: answers SDO, sends heartbeats, and its PDO on demand."""

    def __init__(self, sensor: Sensor, settings) -> None:
        self.sensor = sensor
        self._settings = settings
        profile = TRANSMITTER if sensor.unit == 'Pa' else ENCODER
        self._node = canopen.LocalNode(settings.node_id, object_dictionary(profile))
        self._counts = round(settings.counts) or _COUNTS
        self._turns = settings.turns or _TURNS
        if profile is ENCODER:
            rotary = sensor.unit == 'rad'
            self._node.sdo[DEVICE_TYPE].raw = ENCODER.number | (2 if rotary else 8) << 16
            self._node.sdo[RESOLUTION].raw = self._counts if rotary else _STEP
            self._node.sdo[REVOLUTIONS].raw = self._turns if rotary else 1
        self._map = None        # of the PDO, while operational

    @property
    def operational(self):
        """Whether the driver has started the device."""
        return self._node.nmt.state == 'OPERATIONAL'

    def plug(self, network: CanNetwork):
        """Be switched on."""
        network.add_node(self._node)
        self._node.nmt.state = 'INITIALISING'       # sends the boot-up message
        self._node.nmt.state = 'PRE-OPERATIONAL'

    def unplug(self, network: CanNetwork):
        """Vanish without a word."""
        self._node.nmt.stop_heartbeat()
        network.pop(self._node.id, None)
        self._map = None

    def fail(self, failing: bool):
        """Report an error of the hardware, or its end."""
        self._node.sdo[ERROR_REGISTER].raw = 1 if failing else 0
        self._node.emcy.send(_FAULT if failing else _NO_FAULT, 1 if failing else 0)

    def measure(self, stamp: int, value: float):
        """Take a value (rad, m or Pa) of a stamp [ns]; send it unless SYNC is to ask for it."""
        pdo = self._operational_map()
        if pdo is None:
            return
        for variable in pdo.map:
            if variable.index == TIME_STAMP:
                variable.raw = stamp // 1000 % 2 ** 32
            elif variable.index != STATUS:
                variable.raw = self._raw(value)
        if pdo.trans_type >= _EVENT:
            pdo.transmit()

    def on_sync(self):
        """Send the newest value."""
        pdo = self._map
        if pdo is not None and pdo.trans_type < _EVENT:
            pdo.transmit()

    def _operational_map(self):
        """Return the map of the PDO as the driver has set it, None while it is not to be sent."""
        if not self.operational:
            self._map = None
        elif self._map is None:
            pdo = self._node.tpdo[self._settings.pdo]
            pdo.read()
            if pdo.enabled:
                # Else a frame of its own, back from the bus, would hide a new value.
                self._node.network.unsubscribe(pdo.cob_id, pdo.on_message)
                self._map = pdo
        return self._map

    def _raw(self, value: float):
        if self.sensor.unit == 'Pa':
            return round(value)
        if self.sensor.unit == 'm':
            return round(value * 1e9 / _STEP) % 2 ** 32
        return round(value * self._counts / (2.0 * pi)) % min(self._counts * self._turns, 2 ** 32)


class CanNodes(Emulator, of=CanBus):
    """An emulator: the devices of some sensors on one bus.

    The interface `virtual` connects emulators and drivers in one process, `udp_multicast` on one
    machine.
    """

    def __init__(self, sensors: Sequence[Sensor], settings,
                 each: Mapping[str, CanSensorSettings]) -> None:
        super().__init__(sensors)
        self._settings = settings
        self._lock = threading.Lock()       # SYNC comes in a thread of the bus
        self.fault = ''         # the last problem of a device
        self.nodes = {sensor.name: CanNode(sensor, each[sensor.name]) for sensor in sensors}
        self.network = CanNetwork()

    def open(self):
        """Connect all devices.  Raises SourceError."""
        try:
            self.network.connect(**self._settings.bus_arguments())
        except (can.CanError, NotImplementedError, ValueError, TypeError, OSError) as error:
            raise SourceError(f'{self._settings.interface} {self._settings.channel}: {error}'
                              ) from error
        self.network.subscribe(_SYNC, self._on_sync)
        for node in self.nodes.values():
            node.plug(self.network)

    def take(self, sensor: Sensor, stamp: int, values: Sequence[float]):
        """Let a device measure values at a stamp [ns].

        Commands of others on the bus may make that impossible: then it is silent.
        """
        with self._lock:
            self._attempt(self.nodes[sensor.name].measure, stamp, values[0])

    def close(self):
        """Disconnect."""
        for node in self.nodes.values():
            self._attempt(node.unplug, self.network)
        self._attempt(self.network.disconnect)

    def _on_sync(self, _id: int, _data: bytes, _timestamp: float):
        with self._lock:
            for node in self.nodes.values():
                self._attempt(node.on_sync)

    def _attempt(self, work: Callable[..., Any], *what: Any):
        """Do some work, and keep its problem in words: interfaces raise all kinds of exceptions."""
        try:
            work(*what)
        except Exception as error:
            self.fault = f'{type(error).__name__}: {error}'
