"""Dictionary and process data object (PDO) of a device: as the driver sets it, or as it is."""

from mb_sensors.errors import SensorError
from mb_sensors.sources.can_bus.canopen_profiles import (
    STATUS,
    TIME_STAMP,
    TRANSMITTER,
    add_pdo,
    object_dictionary,
)
from mb_sensors.sources.can_bus.eds_complete import complete
from mb_sensors.sources.can_bus.eds_file import EdsFile
from mb_sensors.sources.can_bus.eds_pdo import pdo_of_file
from mb_sensors.sources.can_bus.pdo_content import LARGEST, PdoContent
from mb_sensors.sources.source import SourceError

_EVERY_SYNC, _EVENT = 1, 255


def load_dictionary(sensor, settings, profile):
    """Return (ObjectDictionary, PdoContent or None) of a device.

    Its objects are as in its file, completed by its profile; its PDO is as CiA 301 has it, whose
    content the driver sets or asks for, or the one of the file.  Raises SensorError.
    """
    standard = object_dictionary(profile)
    if not settings.eds:
        add_pdo(standard, settings.pdo)
        return standard, None
    value = settings.value_object(profile)
    try:
        file = EdsFile(settings.eds, settings.node_id)
        file.check(value[0])
        complete(file.dictionary, standard)
        content = None
        if settings.mapping == 'eds':
            content = pdo_of_file(file, settings, value)
        add_pdo(file.dictionary, settings.pdo)
    except (OSError, ValueError) as error:
        raise SensorError(f'{sensor.name}.can.eds: {settings.eds}: {error}') from error
    return file.dictionary, content


def set_up_pdo(pdo, settings, profile, value, rate, content):
    """Configure, ask for, or take over the content and the timing of a PDO.

    settings: CanSensorSettings; value: (index, subindex) of the measured value; rate [Hz];
    content: PdoContent of its file, or None.  Returns (PdoContent, {index: read(data) -> raw
    value}) of the value, the time stamp and the status.  Raises SourceError where the value is not
    in it as a number.
    """
    if content is not None:
        pdo.cob_id, pdo.enabled = content.cob_id, True
        pdo.subscribe()
    elif settings.mapping == 'write':
        _write(pdo, settings, profile, value, rate)
        content = PdoContent(pdo.cob_id, tuple(
            (one.index, one.subindex, one.length) for one in pdo.map))
    else:
        content = _asked(pdo, settings)
    dictionary = pdo.pdo_node.node.object_dictionary
    try:
        return content, content.readers(
            dictionary, value, [(TIME_STAMP, 0), (STATUS, value[1])])
    except ValueError as error:
        raise SourceError(f'its PDO {settings.pdo} {error}') from None


def _asked(pdo, settings):
    """Return what a PDO of the device holds.  Raises SourceError if it is switched off."""
    pdo.read()
    if not pdo.enabled:
        raise SourceError(f'its PDO {settings.pdo} is switched off (bit 31 of its COB-ID), '
                          'expected one that is sent, or mapping: write')
    numbers = [pdo.map_array[k].raw for k in range(1, pdo.map_array[0].raw + 1)]
    return PdoContent(pdo.cob_id, tuple(
        (number >> 16, number >> 8 & 0xFF, number & 0xFF) for number in numbers))


def _write(pdo, settings, profile, value, rate):
    """Map the value, the time stamp if wanted, and the status of a transmitter if it fits."""
    pdo.clear()
    for index, subindex in [value, *([(TIME_STAMP, 0)] if settings.time_stamp else [])]:
        pdo.add_variable(index, subindex)
    if profile is TRANSMITTER and pdo.length + 8 <= LARGEST:
        pdo.add_variable(STATUS, value[1])
    pdo.cob_id = pdo.predefined_cob_id
    pdo.trans_type = _EVERY_SYNC if settings.synchronous else _EVENT
    pdo.event_timer = None if settings.synchronous else max(1, round(1000.0 / rate))
    pdo.enabled = True
    pdo.save()
