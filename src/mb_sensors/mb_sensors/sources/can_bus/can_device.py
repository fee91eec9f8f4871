"""One CANopen device: set up over SDO, watched by its heartbeat and emergencies, read by PDO."""

from collections.abc import Callable
import time
from typing import Any

import canopen
from canopen.sdo import SdoAbortedError, SdoCommunicationError

from mb_sensors.sensor import Sensor
from mb_sensors.sources import Sample, SourceError
from mb_sensors.sources.can_bus.can_network import CanNetwork
from mb_sensors.sources.can_bus.can_pdo import set_up_pdo
from mb_sensors.sources.can_bus.can_scaling import SCALINGS
from mb_sensors.sources.can_bus.can_settings import CanSensorSettings
from mb_sensors.sources.can_bus.canopen_profiles import (
    DEVICE_TYPE,
    ENCODER,
    ERROR_REGISTER,
    HEARTBEAT_TIME,
    REVOLUTIONS,
    STATUS,
    TIME_STAMP,
    TRANSMITTER,
)
from mb_sensors.sources.can_bus.eds_device import load_dictionary

_LONGEST_MISS = 3.0         # heartbeats that may be missing
_RETRY = 1.0                # between two tries to set a device up [s]
_OPERATIONAL, _BOOT_UP = 5, 0
_MICROSECOND = 1000


class CanDevice:
    """A sensor that is a CANopen node.

    fault: in words, empty if none is known; malformed, implausible, withheld: PDOs
    that were left out for their length, their value, and because the device reports an error;
    turns: that an encoder of an angle distinguishes, 0 as long as that is not known.
    """

    def __init__(self, sensor: Sensor, settings: CanSensorSettings, heartbeat: float) -> None:
        """Set up for a Sensor, CanSensorSettings and a heartbeat period [s].  Raises ValueError."""
        self.fault = 'not set up yet'
        self.malformed = self.implausible = self.withheld = self.emergencies = 0
        self.turns = 0
        self.sensor = sensor
        self._settings = settings
        self._heartbeat = heartbeat
        self._profile = TRANSMITTER if sensor.unit == 'Pa' else ENCODER
        self._value = settings.value_object(self._profile)
        self._dictionary, self._file_content = load_dictionary(
            sensor, settings, self._profile)
        self._running = False
        self._error = ''
        self._next_try = 0.0
        self._beaten = 0.0          # monotonic time of the last heartbeat [s]
        self._started = 0.0
        self._node = None

    def attach(self, network: CanNetwork, arrival: Callable[[float], int],
               give: Callable[[Sample], None]):
        """Join a network; arrival(timestamp) is when a PDO was taken [ns]; give(Sample)."""
        self._node = canopen.RemoteNode(self._settings.node_id, self._dictionary)
        network.add_node(self._node)
        self._node.nmt.add_heartbeat_callback(self._on_heartbeat)
        self._node.emcy.add_callback(self._on_emergency)
        self._pdo = self._node.tpdo[self._settings.pdo]
        self._pdo.add_callback(self._on_pdo)
        self._arrival, self._give, self._network = arrival, give, network
        self._running, self._next_try, self._searched = False, 0.0, False
        self.fault = f'{self._name}: not set up yet'

    def look_after(self):
        """Set the device up if it is not running; notice when its heartbeat stays away."""
        now = time.monotonic()
        if self._running:
            if now - self._beaten <= _LONGEST_MISS * self._heartbeat:
                return
            self._running = False
            self.fault = f'{self._name}: no heartbeat'
        if now < self._next_try:
            return
        try:
            self._set_up()
            self._beaten = self._started = time.monotonic()
            self._running, self.fault = True, ''
        except SdoCommunicationError:
            self.fault = f'{self._name}: no answer; nodes on the bus: {self._nodes()}'
            if not self._searched:
                self._network.scanner.search()      # answers are listed at the next try
                self._searched = True
        except SdoAbortedError as error:
            self.fault = f'{self._name}: refused: {error}'
        except SourceError as error:
            self.fault = f'{self._name}: {error}'
        except KeyError as error:
            self.fault = f'{self._name}: {_missing(error.args[0] if error.args else "")}'
        except Exception as error:      # canopen raises whatever it meets in what devices answer
            self.fault = (f'{self._name}: its answer cannot be used: '
                          f'{str(error) or type(error).__name__}')
        finally:
            self._next_try = time.monotonic() + _RETRY

    def leave(self):
        """Be no part of the network any more."""
        self._running = False

    @property
    def present_fault(self):
        """The present fault, also an error that the device itself reports."""
        return self.fault or (f'{self._name}: {self._error}' if self._error else '')

    @property
    def _name(self):
        return f'{self.sensor.name}: node {self._settings.node_id}'

    def _nodes(self):
        return ', '.join(map(str, sorted(self._network.scanner.nodes))) or 'none'

    def _set_up(self):
        """Check the profile of the device, configure its PDO, and start it."""
        node = self._node
        node.nmt.state = 'PRE-OPERATIONAL'
        number = self._ask(DEVICE_TYPE, 0) & 0xFFFF
        if number != self._profile.number:
            raise SourceError(f'is of profile {number}, expected {self._profile.name}')
        register = self._ask(ERROR_REGISTER, 0)
        self._error = f'error register {register:02x}h' if register else ''
        self._convert = SCALINGS[self.sensor.unit](self.sensor, self._settings, self._ask)
        if self.sensor.unit == 'rad':
            self.turns = self._settings.turns or self._ask(REVOLUTIONS, 0)
        node.sdo[HEARTBEAT_TIME].raw = round(1000.0 * self._heartbeat)
        content, self._readers = set_up_pdo(
            self._pdo, self._settings, self._profile, self._value, self.sensor.rate,
            self._file_content)
        self._bytes = -(-content.length // 8)
        node.nmt.state = 'OPERATIONAL'

    def _ask(self, index: int, subindex: int):
        """Return the value of an object of the device."""
        entry = self._node.sdo[index]
        return entry[subindex].raw if subindex else entry.raw

    def _on_heartbeat(self, state: int):
        self._beaten = time.monotonic()
        starting = self._beaten - self._started < 2.0 * self._heartbeat
        if self._running and (state == _BOOT_UP or (state != _OPERATIONAL and not starting)):
            self._running, self._next_try = False, 0.0
            self.fault = f'{self._name}: has started anew'

    def _on_emergency(self, emergency: Any):
        """Withhold readings until the device takes its error back."""
        self.emergencies += 1
        self._error = '' if emergency.code & 0xFF00 == 0 else (
            f'emergency {emergency.code:04x}h ({emergency.get_desc() or "of the manufacturer"}), '
            f'error register {emergency.register:02x}h')

    def _on_pdo(self, pdo: Any):
        if not self._running:
            return
        if self._error:
            self.withheld += 1
            return
        if len(pdo.data) != self._bytes:
            self.malformed += 1
            return
        raw = {index: read(pdo.data) for index, read in self._readers.items()}
        reading = self._convert(raw[self._value[0]])
        if reading is None or raw.get(STATUS):
            self.implausible += 1
            return
        ticks = raw.get(TIME_STAMP)
        self._give(Sample(self.sensor.name, self._arrival(pdo.timestamp), (reading,),
                          None if ticks is None else ticks * _MICROSECOND))


def _missing(key: object):
    """Return in words which object of a dictionary, or entry of an object, is missing."""
    if not isinstance(key, int):
        return str(key) or 'something that is needed is missing in its dictionary'
    if key > 0xFF:
        return f'its dictionary has no object {key:04x}h'
    return f'an object of its dictionary has no entry {key}'
