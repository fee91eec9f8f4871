"""The dictionary and the PDO of a device as its EDS or DCF file and its profile say."""

from typing import Any

from canopen.objectdictionary import ObjectDictionary, ODVariable
from canopen.objectdictionary.datatypes import (
    BOOLEAN,
    FLOAT_TYPES,
    INTEGER_TYPES,
    SIGNED_TYPES,
    UNSIGNED_TYPES,
)

from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.sensor import Sensor
from mb_sensors.sources.can_bus.can_pdo import LARGEST, PdoContent, variable_of
from mb_sensors.sources.can_bus.can_settings import CanSensorSettings
from mb_sensors.sources.can_bus.canopen_profiles import (
    POSITION,
    PRESSURE,
    Profile,
    add_pdo,
    object_dictionary,
)
from mb_sensors.sources.can_bus.eds_file import EdsFile, section_of

_MEASURED = POSITION, PRESSURE
_PDOS = range(0x1800, 0x1C00)
_DEVICE = 0x2000            # objects below are from CiA 301, the same for all devices


def load_dictionary(sensor: Sensor, settings: CanSensorSettings, profile: Profile):
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
        _complete(file.dictionary, standard)
        content = None
        if settings.mapping == 'eds':
            content = _pdo_of_file(file, settings, value)
        add_pdo(file.dictionary, settings.pdo)
    except (OSError, ValueError) as error:
        raise SensorError(f'{sensor.name}.can.eds: {settings.eds}: {error}') from error
    return file.dictionary, content


def _complete(dictionary: ObjectDictionary, profile: ObjectDictionary):
    """Add the objects of a profile's ObjectDictionary that another lacks, PDOs aside.

    Objects that are the same for all devices are the profile's, and so is one that is a variable in
    one of both and a record in the other.  Raises ValueError where an entry is real, whole or
    without a sign and the profile's is not: its bytes would be misread.
    """
    for index, whole in profile.items():
        if index in _PDOS:
            continue
        own = dictionary.get(index)
        if own is None or index < _DEVICE or (
                isinstance(own, ODVariable) != isinstance(whole, ODVariable)):
            dictionary.add_object(whole)
            continue
        for expected in _variables(whole):
            variable = variable_of(dictionary, index, expected.subindex)
            if variable is None:
                own.add_member(expected)
                continue
            kind = variable.data_type
            if _class_of(kind, index) != _class_of(expected.data_type, index):
                member = None if isinstance(whole, ODVariable) else expected.subindex
                raise ValueError(f'[{section_of(index, member)}] DataType: {kind:#06x} must be as '
                                 f'in its profile, {expected.data_type:#06x}')


def _class_of(kind: int, index: int):
    """Return what bytes of a data type mean; measured values of makers may have a sign or none."""
    classes = (FLOAT_TYPES, INTEGER_TYPES) if index in _MEASURED else (
        FLOAT_TYPES, SIGNED_TYPES, UNSIGNED_TYPES)
    return next((k for k, one in enumerate(classes) if kind in one), None)


def _variables(entry: Any):
    return [entry] if isinstance(entry, ODVariable) else list(entry.values())


_TYPES = 0x20                       # objects below are none: gaps of a mapping
_OFF = 1 << 31
_EXTENDED = 1 << 29
_EXTENDED_IDENTIFIER, _IDENTIFIER, _NODE = 0x1FFFFFFF, 0x7FF, 0x7F
_FIRST, _BEHIND = 0x181, 0x580      # identifiers of PDOs; CiA 301 has others around
_MOST = 64                          # entries of a mapping


def _pdo_of_file(file: EdsFile, settings: CanSensorSettings, value: tuple[int, int]) -> PdoContent:
    """Return the PDO of an EdsFile, completed, for CanSensorSettings.

    value: (index, subindex) of the measured value.  Raises ValueError naming section and key.
    """
    sends, holds = 0x17FF + settings.pdo, 0x19FF + settings.pdo
    for index in (sends, holds):
        file.check(index)
    cob_id, path = file.number(sends, 1, f'the COB-ID of PDO {settings.pdo}')
    identifier = _checked(cob_id, path, settings)
    count, _ = file.number(holds, 0, f'the number of objects in PDO {settings.pdo}, 1 to {_MOST}',
                           _MOST)
    entries = []
    for subindex in range(1, count + 1):
        number, path = file.number(holds, subindex, 'an object in the PDO, as 0x60040020')
        index, member, bits = entry = number >> 16, number >> 8 & 0xFF, number & 0xFF
        file.check(index)
        _check_length(file.dictionary, index, member, bits, path)
        entries.append(entry)
    content = PdoContent(identifier, tuple(entries))
    if content.length > LARGEST:
        raise ValueError(f'{path}: PDO {settings.pdo} would have {content.length} bits, expected '
                         f'{LARGEST} at most')
    try:
        content.readers(file.dictionary, value)
    except ValueError as error:
        raise ValueError(f'[{section_of(holds)}]: PDO {settings.pdo} {error}') from None
    return content


def _check_length(dictionary: ObjectDictionary, index: int, subindex: int, bits: int, path: str):
    """Raise ValueError where a PDO cannot hold so many bits of an object."""
    variable = variable_of(dictionary, index, subindex)
    what = f'{path}: {bits} bits of {index:04x}h:{subindex:x}'
    if bits == 0 or (variable is None and index >= _TYPES):
        raise ValueError(f'{what}, expected an object that the file has')
    if variable is None or not variable.fixed_size:
        return
    if bits != len(variable) and (variable.data_type, bits) != (BOOLEAN, 1):
        raise ValueError(f'{what}, expected {len(variable)} by its DataType')


def _checked(cob_id: int, path: str, settings: CanSensorSettings):
    """Return the identifier of a COB-ID.

    CiA 301: PDO k of a node has 80h + k 100h + its id, unless that was changed.
    """
    expected = 0x80 + 0x100 * settings.pdo + settings.node_id
    if cob_id & _OFF:
        raise ValueError(f'{path}: PDO {settings.pdo} is switched off (bit 31 of {cob_id:x}h), '
                         f'expected one that is sent, as {expected:x}h')
    if cob_id & _EXTENDED:
        return cob_id & _EXTENDED_IDENTIFIER
    identifier = cob_id & _EXTENDED_IDENTIFIER
    if not _FIRST <= identifier < _BEHIND:
        raise ValueError(f'{path}: COB-ID {identifier:x}h cannot be of a PDO; expected '
                         f'{expected:x}h')
    if identifier & _NODE not in (0, settings.node_id):
        raise ValueError(f'{path}: COB-ID {identifier:x}h of PDO {settings.pdo} belongs to node '
                         f'{identifier & _NODE}; expected {expected:x}h, or mapping: device if the '
                         'device was changed so')
    return identifier
