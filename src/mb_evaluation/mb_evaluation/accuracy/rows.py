"""Stamped arrays of a long run, packed: eight bytes a number, in place of an object each."""

from array import array
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

Form = tuple[tuple[int, ...] | None, ...]       # shapes of the arrays of a row


class _Block:
    """Rows of one form, from a number on."""

    def __init__(self, form: Form, first: int) -> None:
        self.form, self.first = form, first
        sizes = [0 if shape is None else int(np.prod(shape)) for shape in form]
        self._ends = np.cumsum([0, *sizes]).tolist()
        self._numbers = array('d')

    @property
    def width(self) -> int:
        """How many numbers a row has."""
        return self._ends[-1]

    def add(self, arrays: Iterable[np.ndarray | None]) -> None:
        """Add a row of this form."""
        for one in arrays:
            if one is not None:
                self._numbers.frombytes(one.tobytes())

    def row(self, k: int) -> tuple[np.ndarray | None, ...]:
        """Return the arrays of row k of the block."""
        numbers = np.array(self._numbers[k * self.width:(k + 1) * self.width])
        return tuple(None if shape is None else numbers[begin:end].reshape(shape)
                     for shape, begin, end in zip(self.form, self._ends, self._ends[1:],
                                                  strict=False))

    def column(self, i: int, count: int) -> np.ndarray:
        """Return array i of all rows (count, ...)."""
        shape = self.form[i]
        shape = (0,) if shape is None else shape
        numbers = np.asarray(self._numbers).reshape(count, self.width)
        return np.array(numbers[:, self._ends[i]:self._ends[i + 1]]).reshape(count, *shape)


class Rows:
    """A sequence of rows (stamp [ns], arrays), which grows; an array may be None."""

    def __init__(self, rows: Iterable[tuple] = ()) -> None:
        """Begin with some rows."""
        self._stamps = array('q')
        self._blocks: list[_Block] = []
        for row in rows:
            self.append(row)

    def append(self, row: tuple) -> None:
        """Add (stamp [ns], arrays)."""
        stamp, *values = row
        arrays = [None if one is None else np.asarray(one, float) for one in values]
        form = tuple(None if one is None else one.shape for one in arrays)
        if not self._blocks or self._blocks[-1].form != form:
            self._blocks.append(_Block(form, len(self._stamps)))
        self._blocks[-1].add(arrays)
        self._stamps.append(stamp)

    def __len__(self) -> int:
        return len(self._stamps)

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return [self[one] for one in range(*k.indices(len(self)))]
        k = range(len(self))[k]
        block = next(one for one in reversed(self._blocks) if one.first <= k)
        return self._stamps[k], *block.row(k - block.first)

    def __iter__(self) -> Iterator[tuple]:
        for block, count in self._counted():
            for k in range(count):
                yield self._stamps[block.first + k], *block.row(k)

    @property
    def stamps(self) -> np.ndarray:
        """Stamps of all rows (k) [ns], in their order."""
        return np.array(self._stamps, np.int64)

    def column(self, i: int) -> list[np.ndarray]:
        """Return array i of all rows, (k, ...) of each run of rows of one form."""
        return [block.column(i, count) for block, count in self._counted()]

    def _counted(self) -> list[tuple[_Block, int]]:
        """Return each block and how many rows it has."""
        end = len(self)
        counted = []
        for block in reversed(self._blocks):
            counted.append((block, end - block.first))
            end = block.first
        return counted[::-1]
