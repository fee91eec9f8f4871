"""Object dictionaries of CANopen devices, as far as readings need them.

Source: CiA 301 (communication), CiA 406 (encoders), CiA 404 (measuring devices), CiA 303-2 (units).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from canopen.objectdictionary import ObjectDictionary, ODRecord, ODVariable
from canopen.objectdictionary.datatypes import (
    INTEGER32,
    REAL32,
    UNSIGNED8,
    UNSIGNED16,
    UNSIGNED32,
)

DEVICE_TYPE, ERROR_REGISTER, HEARTBEAT_TIME, TIME_STAMP = 0x1000, 0x1001, 0x1017, 0x1013
POSITION, RESOLUTION, REVOLUTIONS = 0x6004, 0x6501, 0x6502
PRESSURE, PRESSURE_REAL, UNIT, DIGITS, STATUS = 0x9130, 0x6130, 0x6131, 0x6132, 0x6150
TIME_STAMP_PERIOD = 2 ** 32 * 1000      # of 1013h, microseconds in 32 bits [ns]
PASCAL = 0x00220000
_PASCALS = {0x22: 1.0, 0x4E: 1e5, 0xAB: 6894.757293}     # Pa, bar, psi


@dataclass(frozen=True)
class Profile:
    """A kind of device: number of its profile, and the object that holds its measured value."""

    number: int
    value: tuple[int, int]
    name: str


ENCODER = Profile(406, (POSITION, 0), 'an encoder (CiA 406)')
TRANSMITTER = Profile(404, (PRESSURE, 1), 'a measuring device (CiA 404)')


def object_dictionary(profile: Profile):
    """Return the ObjectDictionary of a device with one PDO and one measured value."""
    dictionary = ObjectDictionary()
    for name, index, kind, default, access in (
            ('Device type', DEVICE_TYPE, UNSIGNED32, profile.number, 'ro'),
            ('Error register', ERROR_REGISTER, UNSIGNED8, 0, 'ro'),
            ('High resolution time stamp', TIME_STAMP, UNSIGNED32, 0, 'rw'),
            ('Producer heartbeat time', HEARTBEAT_TIME, UNSIGNED16, 0, 'rw')):
        dictionary.add_object(_variable(name, index, 0, kind, default, access))
    add_pdo(dictionary, 1)
    if profile is ENCODER:
        for name, index, kind, default in (
                ('Position value', POSITION, UNSIGNED32, 0),
                ('Single-turn resolution', RESOLUTION, UNSIGNED32, 0),
                ('Number of revolutions', REVOLUTIONS, UNSIGNED16, 1)):
            dictionary.add_object(_variable(name, index, 0, kind, default, 'ro'))
        return dictionary
    for name, index, kind, default in (
            ('Process value', PRESSURE, INTEGER32, 0),
            ('Real process value', PRESSURE_REAL, REAL32, 0.0),
            ('Physical unit', UNIT, UNSIGNED32, PASCAL), ('Decimal digits', DIGITS, UNSIGNED8, 0),
            ('Status', STATUS, UNSIGNED8, 0)):
        dictionary.add_object(_record(f'AI {name}', index, [(name, 1, kind, default)], count=1))
    return dictionary


def add_pdo(dictionary: ObjectDictionary, number: int):
    """Give an ObjectDictionary the transmit PDO of a number as CiA 301 has it."""
    dictionary.add_object(_record(f'TPDO {number} communication parameter', 0x17FF + number, [
        ('COB-ID', 1, UNSIGNED32, 0x80000000), ('Transmission type', 2, UNSIGNED8, 255),
        ('Inhibit time', 3, UNSIGNED16, 0), ('Event timer', 5, UNSIGNED16, 0)]))
    dictionary.add_object(_record(f'TPDO {number} mapping parameter', 0x19FF + number, [
        (f'Object {k}', k, UNSIGNED32, 0) for k in range(1, 9)], count=0))


def pascals(unit: int):
    """Return one unit of pressure, coded as in CiA 303-2, in Pa; None if it is no pressure.

    Bits 31 to 24: power of ten, signed; 23 to 16: unit; 15 to 8: divisor.
    """
    exponent = int.from_bytes([unit >> 24 & 0xFF], signed=True)
    factor = _PASCALS.get(unit >> 16 & 0xFF)
    return None if factor is None or unit >> 8 & 0xFF else factor * 10.0 ** exponent


def _record(name: str, index: int, members: Sequence[tuple[str, int, int, Any]],
            count: int | None = None):
    record = ODRecord(name, index)
    highest = max(subindex for _, subindex, _, _ in members)
    record.add_member(_variable('Number of entries', index, 0, UNSIGNED8,
                                highest if count is None else count, 'rw'))
    for member, subindex, kind, default in members:
        record.add_member(_variable(member, index, subindex, kind, default, 'rw'))
    return record


def _variable(name: str, index: int, subindex: int, kind: int, default: Any, access: str):
    variable = ODVariable(name, index, subindex)
    variable.data_type, variable.default, variable.access_type = kind, default, access
    variable.pdo_mappable = True
    return variable
