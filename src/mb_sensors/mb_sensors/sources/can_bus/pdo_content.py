"""What the process data object (PDO) of a CANopen device holds, and its decoding."""

from dataclasses import dataclass

from canopen.objectdictionary import ODVariable
from canopen.objectdictionary.datatypes import NUMBER_TYPES, SIGNED_TYPES

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

    def readers(self, dictionary, value, others=()):
        """Return {index: read(data) -> raw value} of a value, and of others that it holds.

        Raises ValueError where it does not hold the value (index, subindex), and where one is no
        number, or has another length in the ObjectDictionary.
        """
        found, start, wanted = {}, 0, {value, *others}
        if value not in {entry[:2] for entry in self.entries}:
            raise ValueError(f'does not hold {value[0]:04x}h as a number')
        for index, subindex, bits in self.entries:
            if (index, subindex) in wanted and index not in found:
                variable = variable_of(dictionary, index, subindex)
                if variable is None or variable.data_type not in NUMBER_TYPES:
                    raise ValueError(f'does not hold {index:04x}h as a number')
                if len(variable) != bits:
                    raise ValueError(f'holds {bits} bits of {index:04x}h:{subindex:x}, expected '
                                     f'{len(variable)}')
                found[index] = _reader(variable, start, bits)
            start += bits
        return found


def variable_of(dictionary, index: int, subindex: int) -> ODVariable | None:
    """Return the variable of an ObjectDictionary, None if it has none."""
    found = dictionary.get(index)
    if found is None or isinstance(found, ODVariable):
        return found if subindex == 0 else None
    try:
        return found[subindex]
    except KeyError:
        return None


def _reader(variable, start, bits):
    """Return read(data) of a variable that begins at a bit."""
    decode, first, behind = variable.decode_raw, start // 8, (start + bits) // 8
    if start % 8 == 0 and bits % 8 == 0 and variable.fixed_size:
        return lambda data: decode(data[first:behind])
    half = 1 << bits - 1 if variable.data_type in SIGNED_TYPES else 0

    def read(data):
        raw = int.from_bytes(data, 'little') >> start & (1 << bits) - 1
        return (raw ^ half) - half
    return read
