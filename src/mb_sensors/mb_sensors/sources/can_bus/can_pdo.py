"""The content of the process data object (PDO) of a CANopen device, and its decoding."""

import canopen
from canopen.objectdictionary.datatypes import NUMBER_TYPES

from mb_sensors.errors import SensorError
from mb_sensors.sources.can_bus.canopen_profiles import (
    STATUS,
    TIME_STAMP,
    TRANSMITTER,
    object_dictionary,
)
from mb_sensors.sources.source import SourceError

_EVERY_SYNC, _EVENT = 1, 255
_LARGEST = 64               # [bit]


def load_dictionary(sensor, settings, profile):
    """Return the ObjectDictionary of a device: of its profile, or its own.  Raises SensorError."""
    if not settings.eds:
        return object_dictionary(profile)
    try:
        return canopen.import_od(settings.eds, settings.node_id)
    except Exception as error:      # whatever a parser makes of such a file
        raise SensorError(f'{sensor.name}.can.eds: {settings.eds}: {error}') from error


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
    held = {(variable.index, variable.subindex): variable.od.data_type for variable in pdo.map}
    if held.get(value) not in NUMBER_TYPES:
        raise SourceError(f'its PDO {settings.pdo} does not hold {value[0]:04x}h as a number')
    return {variable.index: _reader(variable) for variable in pdo.map
            if (variable.index, variable.subindex) == value
            or variable.index in (TIME_STAMP, STATUS)}


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
