"""What a device's file lacks is as in its profile; what contradicts the profile is refused."""

from canopen.objectdictionary import ODVariable
from canopen.objectdictionary.datatypes import (
    FLOAT_TYPES,
    INTEGER_TYPES,
    SIGNED_TYPES,
    UNSIGNED_TYPES,
)

from mb_sensors.sources.can_bus.canopen_profiles import POSITION, PRESSURE
from mb_sensors.sources.can_bus.eds_sections import section_of
from mb_sensors.sources.can_bus.pdo_content import variable_of

_MEASURED = POSITION, PRESSURE
_PDOS = range(0x1800, 0x1C00)
_DEVICE = 0x2000            # objects below are from CiA 301, the same for all devices


def complete(dictionary, profile):
    """Add the objects of a profile's ObjectDictionary that another lacks, PDOs aside.

    Objects that are the same for all devices are the profile's, and so is one that is a variable in
    one of both and a record in the other.  Raises ValueError where an entry is real, whole or
    without a sign and the profile's is not: its bytes would be misread.
    """
    for index, found in profile.items():
        if index in _PDOS:
            continue
        own = dictionary.get(index)
        if own is None or index < _DEVICE or (
                isinstance(own, ODVariable) != isinstance(found, ODVariable)):
            dictionary.add_object(found)
            continue
        for expected in _variables(found):
            variable = variable_of(dictionary, index, expected.subindex)
            if variable is None:
                own.add_member(expected)
                continue
            kind = variable.data_type
            if _class_of(kind, index) != _class_of(expected.data_type, index):
                member = None if isinstance(found, ODVariable) else expected.subindex
                raise ValueError(f'[{section_of(index, member)}] DataType: {kind:#06x} must be as '
                                 f'in its profile, {expected.data_type:#06x}')


def _class_of(kind, index):
    """Return what bytes of a data type mean; measured values of makers may have a sign or none."""
    classes = (FLOAT_TYPES, INTEGER_TYPES) if index in _MEASURED else (
        FLOAT_TYPES, SIGNED_TYPES, UNSIGNED_TYPES)
    return next((k for k, one in enumerate(classes) if kind in one), None)


def _variables(found):
    return [found] if isinstance(found, ODVariable) else list(found.values())
