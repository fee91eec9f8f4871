"""Records of compiled functions, whose arrays are as long as a machine needs them.

A RecordType names its fields in parts, by their purpose.  Lengths of arrays are numbers or sizes:

    n, g = sizes('coordinates independent')
    STATE = RecordType('my_package.my_module.STATE', state=[('q', REAL, (n,)), ('z', REAL, (g,))])
    states = STATE.new(coordinates=10, independent=2)

For Python that is an array of numpy records, for compiled functions a record of one type whatever
its sizes: they find offsets and lengths in a table at its start, see jit.record_lowering.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from typing import Any

from numba import types
import numpy as np

INTEGER, REAL = np.int64, np.float64
_WORD = 8           # bytes of every number

Field = tuple[Any, ...]     # (name, INTEGER or REAL) or (name, INTEGER or REAL, lengths)


@dataclass(frozen=True)
class Size:
    """A length that follows from sizes of a machine: constant + sum of factor times size."""

    factors: tuple[tuple[str, int], ...]
    constant: int = 0

    def __add__(self, other: Size | int) -> Size:
        if isinstance(other, int):
            return Size(self.factors, self.constant + other)
        factors = dict(self.factors)
        for name, factor in other.factors:
            factors[name] = factors.get(name, 0) + factor
        return Size(tuple(sorted(factors.items())), self.constant + other.constant)

    def __rmul__(self, factor: int) -> Size:
        return Size(tuple((name, factor * own) for name, own in self.factors),
                    factor * self.constant)

    def of(self, values: Mapping[str, int]) -> int:
        """Return the length for values of the sizes."""
        return self.constant + sum(factor * values[name] for name, factor in self.factors)


def sizes(names: str) -> tuple[Size, ...]:
    """Return the sizes of names with blanks between them."""
    return tuple(Size(((name, 1),)) for name in names.split())


class RecordPointer(types.Type):
    """numba's type of a record.

    scalars: (name, whether it is real, offset in bytes); arrays: (name, whether it is real, index
    of its offset in the table, lengths: (whether it is in the table, length or index there)).
    """

    def __init__(self, name: str, scalars: tuple[Any, ...], arrays: tuple[Any, ...]) -> None:
        self.fields = {one[0]: one[1:] for one in (*scalars, *arrays)}
        super().__init__(name)

    def type_of(self, name: str) -> types.Type | None:
        """Return numba's type of a field, None if there is none of this name."""
        if name not in self.fields:
            return None
        real, _, *lengths = self.fields[name]
        number = types.float64 if real else types.int64
        return types.Array(number, len(lengths[0]), 'C') if lengths else number


class RecordArray(types.Type):
    """numba's type of an array of records: of the type `dtype`."""

    def __init__(self, dtype: RecordPointer) -> None:
        self.dtype = dtype
        super().__init__(f'array({dtype.name})')


class Record(np.void):
    """One record, as Python has it; the dtypes of a RecordType have a class of their own."""

    record_type: RecordType


def record_type_of(records: np.ndarray | Record) -> RecordType:
    """Return what records are."""
    return records.dtype.type.record_type


def sizes_of(records: np.ndarray) -> dict[str, int]:
    """Return the sizes of an array of records by name."""
    names = record_type_of(records).size_names
    return dict(zip(names, records['table'][0, :len(names)].tolist(), strict=True))


def resized(records: np.ndarray, **changed: int) -> np.ndarray:
    """Return zeros of the same type with some sizes changed, and what has kept its lengths."""
    record_type = record_type_of(records)
    other = record_type.new(len(records), **(sizes_of(records) | changed))
    for name in record_type.fields:
        if other[name].shape == records[name].shape:
            other[name] = records[name]
    return other


def poison(records: np.ndarray, names: Iterable[str], value: float = np.nan) -> None:
    """Overwrite fields by a value, whole numbers by one that is no index."""
    for name in names:
        records[name] = value if records.dtype[name].base == REAL else -7


class RecordType:
    """What records consist of: fields in parts, and the sizes that their lengths follow from.

    name: module and name of the variable that holds it.
    """

    def __init__(self, name: str, **parts: Sequence[Field]) -> None:
        self.name, self.parts = name, {
            part: tuple(field[0] for field in fields) for part, fields in parts.items()}
        self.fields: dict[str, tuple[Any, tuple[Size | int, ...]]] = {
            field[0]: (field[1], tuple(field[2]) if len(field) > 2 else ())
            for fields in parts.values() for field in fields}
        if len(self.fields) != sum(map(len, parts.values())):
            raise TypeError(f'{name}: two fields have one name')
        self.size_names = tuple(dict.fromkeys(
            own for _, lengths in self.fields.values() for length in lengths
            if isinstance(length, Size) for own, _ in length.factors))
        self._dtypes: dict[tuple[int, ...], np.dtype] = {}
        module, _, variable = name.rpartition('.')
        self.record = type('record', (Record,), {
            'record_type': self, '__module__': module, '__qualname__': f'{variable}.record'})

    def __reduce__(self) -> tuple[Any, ...]:
        return _record_type, (self.name,)

    def __repr__(self) -> str:
        return self.name

    def __getitem__(self, name: str) -> Any:
        """Return numba's type of an array field."""
        return self.pointer.type_of(name)

    def names(self, *parts: str) -> tuple[str, ...]:
        """Return the names of the fields of parts."""
        return tuple(name for part in parts for name in self.parts[part])

    def new(self, count: int = 1, **values: int) -> np.ndarray:
        """Return so many records for these sizes, all numbers zero."""
        if set(values) != set(self.size_names):
            raise TypeError(f'{self.name}: sizes {sorted(values)}, expected '
                            f'{sorted(self.size_names)}')
        key = tuple(int(values[name]) for name in self.size_names)
        if key not in self._dtypes:
            self._dtypes[key] = self._dtype(values)
        dtype = self._dtypes[key]
        records = np.zeros(count, dtype)
        records['table'] = self._table(values, dtype)
        return records

    def of(self, values: Mapping[str, int], count: int = 1) -> np.ndarray:
        """Return new records for sizes, among which are the sizes of this type."""
        return self.new(count, **{name: values[name] for name in self.size_names})

    @cached_property
    def lengths(self) -> tuple[Size, ...]:
        """All different lengths that are not the same for every machine."""
        return tuple(dict.fromkeys(length for _, lengths in self.fields.values()
                                   for length in lengths if isinstance(length, Size)))

    @cached_property
    def scalars(self) -> tuple[str, ...]:
        """Names of the fields that are one number, which come behind the table."""
        return tuple(name for name, (_, lengths) in self.fields.items() if not lengths)

    @cached_property
    def arrays(self) -> tuple[str, ...]:
        """Names of the fields that are arrays, which come last."""
        return tuple(name for name, (_, lengths) in self.fields.items() if lengths)

    @property
    def table_length(self) -> int:
        """Numbers in the table: sizes, lengths, offsets of the arrays in bytes."""
        return len(self.size_names) + len(self.lengths) + len(self.arrays)

    @cached_property
    def pointer(self) -> RecordPointer:
        """numba's type of one record."""
        first = len(self.size_names)
        indices = {length: first + k for k, length in enumerate(self.lengths)}
        behind = first + len(self.lengths)
        scalars = tuple((name, self.fields[name][0] is REAL, _WORD * (self.table_length + k))
                        for k, name in enumerate(self.scalars))
        arrays = tuple((name, self.fields[name][0] is REAL, behind + k, tuple(
            (isinstance(length, Size), indices.get(length, length))
            for length in self.fields[name][1])) for k, name in enumerate(self.arrays))
        digest = sha256(repr((scalars, arrays)).encode()).hexdigest()[:16]
        return RecordPointer(f'{self.name}.{digest}', scalars, arrays)

    @cached_property
    def array(self) -> RecordArray:
        """numba's type of an array of records."""
        return RecordArray(self.pointer)

    def _dtype(self, values: Mapping[str, int]) -> np.dtype:
        fields: list[Field] = [('table', INTEGER, (self.table_length,))]
        for name in (*self.scalars, *self.arrays):
            kind, lengths = self.fields[name]
            fields.append((name, kind, tuple(
                length.of(values) if isinstance(length, Size) else length for length in lengths)))
        return np.dtype((self.record, fields))

    def _table(self, values: Mapping[str, int], dtype: np.dtype) -> list[int]:
        offsets = dtype.fields or {}
        return [*(values[name] for name in self.size_names),
                *(length.of(values) for length in self.lengths),
                *(offsets[name][1] for name in self.arrays)]


def _record_type(name: str) -> RecordType:
    """Return the RecordType of a name."""
    module, _, variable = name.rpartition('.')
    return getattr(import_module(module), variable)
