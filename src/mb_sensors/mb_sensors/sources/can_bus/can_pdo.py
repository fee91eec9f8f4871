"""The content of the process data object (PDO) of a CANopen device, and its decoding."""

from canopen.objectdictionary.datatypes import NUMBER_TYPES

from mb_sensors.errors import SensorError
from mb_sensors.sources.can_bus.canopen_profiles import (
    STATUS,
    TIME_STAMP,
    TRANSMITTER,
    object_dictionary,
)
from mb_sensors.sources.can_bus.eds_file import complete, read_eds
from mb_sensors.sources.source import SourceError

_EVERY_SYNC, _EVENT = 1, 255
_LARGEST = 64               # [bit]
_IDENTIFIER, _NODE = 0x7FF, 0x7F
_FIRST, _BEHIND = 0x180, 0x580      # identifiers of the four transmit PDOs, without the node


def load_dictionary(sensor, settings, profile):
    """Return the ObjectDictionary of a device: of its profile, or its own, completed by that.

    Raises SensorError.
    """
    if not settings.eds:
        return object_dictionary(profile)
    try:
        found = read_eds(settings.eds, settings.node_id, settings.pdo,
                         settings.value_object(profile)[0])
    except (OSError, ValueError) as error:
        raise SensorError(f'{sensor.name}.can.eds: {settings.eds}: {error}') from error
    complete(found, object_dictionary(profile))
    return found


def set_up_pdo(pdo, settings, profile, value, rate):
    """Configure, or read, the content and the timing of a PDO.

    settings: CanSensorSettings; value: (index, subindex) of the measured value; rate [Hz].
    Returns {index: read(data) -> raw value} of the value, the time stamp and the status.
    Raises SourceError where the value is not in it as a number.
    """
    if settings.mapping == 'write':
        _write(pdo, settings, profile, value, rate)
    else:
        pdo.read(from_od=settings.mapping == 'eds')
        if settings.mapping == 'eds':
            _check_owner(pdo, settings)
    held = {(variable.index, variable.subindex): variable.od.data_type for variable in pdo.map}
    if held.get(value) not in NUMBER_TYPES:
        raise SourceError(f'its PDO {settings.pdo} does not hold {value[0]:04x}h as a number')
    return {variable.index: _reader(variable) for variable in pdo.map
            if (variable.index, variable.subindex) == value
            or variable.index in (TIME_STAMP, STATUS)}


def _check_owner(pdo, settings):
    """Raise SourceError where a file has the identifier of another node's PDO.

    CiA 301: PDO k of a node has 80h + k 100h + its id, unless that was changed.
    """
    identifier = pdo.cob_id & _IDENTIFIER
    node, expected = identifier & _NODE, 0x80 + 0x100 * settings.pdo + settings.node_id
    if _FIRST <= identifier - node < _BEHIND and (identifier - node) & 0x80 and (
            node not in (0, settings.node_id)):
        raise SourceError(f'its file has COB-ID {identifier:x}h of PDO {settings.pdo}, which '
                          f'belongs to node {node}; expected {expected:x}h, or mapping: device if '
                          'the device was changed so')


def _write(pdo, settings, profile, value, rate):
    """Map the value, the time stamp if wanted, and the status of a transmitter if it fits."""
    pdo.clear()
    for index, subindex in [value, *([(TIME_STAMP, 0)] if settings.time_stamp else [])]:
        pdo.add_variable(index, subindex)
    if profile is TRANSMITTER and pdo.length + 8 <= _LARGEST:
        pdo.add_variable(STATUS, value[1])
    pdo.cob_id = pdo.predefined_cob_id
    pdo.trans_type = _EVERY_SYNC if settings.synchronous else _EVENT
    pdo.event_timer = None if settings.synchronous else max(1, round(1000.0 / rate))
    pdo.enabled = True
    pdo.save()


def _reader(variable):
    """Return read(data of the PDO) -> raw value of a mapped variable.

    Faster than variable.raw, which also handles variables of broken bytes.
    """
    start, length = variable.offset // 8, len(variable.od)
    if variable.offset % 8 or variable.length != length:
        return lambda _data: variable.raw
    end, decode = start + length // 8, variable.od.decode_raw
    return lambda data: decode(data[start:end])
