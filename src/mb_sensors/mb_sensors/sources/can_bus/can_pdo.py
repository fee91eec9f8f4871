"""The process data object (PDO) of a device: what it holds, its decoding, and its set-up."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from canopen.objectdictionary import ObjectDictionary, ODVariable
from canopen.objectdictionary.datatypes import NUMBER_TYPES, SIGNED_TYPES

from mb_sensors.sources import SourceError
from mb_sensors.sources.can_bus.can_settings import CanSensorSettings
from mb_sensors.sources.can_bus.canopen_profiles import (
    STATUS,
    TIME_STAMP,
    TRANSMITTER,
    Profile,
)

LARGEST = 64                # [bit]


@dataclass(frozen=True)
class PdoContent:
    """cob_id: its identifier; entries: ((index, subindex, bits), ...) in their order."""

    cob_id: int
    entries: tuple[tuple[int, int, int], ...]

    @property
    def length(self) -> int:
        """Length of the data [bit]."""
        return sum(bits for _, _, bits in self.entries)

    def readers(self, dictionary: ObjectDictionary, value: tuple[int, int],
                others: Iterable[tuple[int, int]] = ()):
        """Return {index: read(data) -> raw value} of a value, and of others that it holds.

        Raises ValueError where it does not hold the value (index, subindex), and where one is no
        number, or has another length in the ObjectDictionary.
        """
        by_index, start, wanted = {}, 0, {value, *others}
        if value not in {entry[:2] for entry in self.entries}:
            raise ValueError(f'does not hold {value[0]:04x}h as a number')
        for index, subindex, bits in self.entries:
            if (index, subindex) in wanted and index not in by_index:
                variable = variable_of(dictionary, index, subindex)
                if variable is None or variable.data_type not in NUMBER_TYPES:
                    raise ValueError(f'does not hold {index:04x}h as a number')
                if len(variable) != bits:
                    raise ValueError(f'holds {bits} bits of {index:04x}h:{subindex:x}, expected '
                                     f'{len(variable)}')
                by_index[index] = _reader(variable, start, bits)
            start += bits
        return by_index


def variable_of(dictionary: ObjectDictionary, index: int, subindex: int) -> ODVariable | None:
    """Return the variable of an ObjectDictionary, None if it has none."""
    entry = dictionary.get(index)
    if entry is None or isinstance(entry, ODVariable):
        return entry if subindex == 0 else None
    try:
        return entry[subindex]
    except KeyError:
        return None


def _reader(variable: ODVariable, start: int, bits: int):
    """Return read(data) of a variable that begins at a bit."""
    decode, first, behind = variable.decode_raw, start // 8, (start + bits) // 8
    if start % 8 == 0 and bits % 8 == 0 and variable.fixed_size:
        return lambda data: decode(data[first:behind])
    half = 1 << bits - 1 if variable.data_type in SIGNED_TYPES else 0

    def read(data: bytes):
        raw = int.from_bytes(data, 'little') >> start & (1 << bits) - 1
        return (raw ^ half) - half
    return read


_EVERY_SYNC, _EVENT = 1, 255


def set_up_pdo(pdo: Any, settings: CanSensorSettings, profile: Profile, value: tuple[int, int],
               rate: float, content: PdoContent | None):
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


def _asked(pdo: Any, settings: CanSensorSettings):
    """Return what a PDO of the device holds.  Raises SourceError if it is switched off."""
    pdo.read()
    if not pdo.enabled:
        raise SourceError(f'its PDO {settings.pdo} is switched off (bit 31 of its COB-ID), '
                          'expected one that is sent, or mapping: write')
    numbers = [pdo.map_array[k].raw for k in range(1, pdo.map_array[0].raw + 1)]
    return PdoContent(pdo.cob_id, tuple(
        (number >> 16, number >> 8 & 0xFF, number & 0xFF) for number in numbers))


def _write(pdo: Any, settings: CanSensorSettings, profile: Profile, value: tuple[int, int],
           rate: float):
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
