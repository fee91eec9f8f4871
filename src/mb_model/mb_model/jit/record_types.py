"""numba's types of the records of jit.records, one for all sizes."""

from typing import Any

from numba import types


class RecordPointer(types.Type):
    """numba's type of a record.

    scalars: (name, whether it is real, place in bytes); arrays: (name, whether it is real, place of
    its place in the table, lengths: (whether it is in the table, length or place there)).
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
