"""Numbers of long recordings in files without a name: memory holds a block of them."""

from collections.abc import Iterator
from functools import cached_property
from io import FileIO
import os
from tempfile import TemporaryFile

import numpy as np
from numpy.typing import ArrayLike

_BLOCK = 2 ** 17        # rows that are read at once
_BINS = 4096


class Spilled:
    """Rows of numbers of a type, in the order in which they came, in a file below TMPDIR.

    The file has no name, and ends with the object, or the process, however that ends.
    """

    def __init__(self, kind: type[np.generic] = np.float64, width: int = 1) -> None:
        """Begin without a row, and without a file; width: numbers of a row."""
        self._kind, self._width = np.dtype(kind), width
        self._count = 0

    @cached_property
    def _file(self) -> FileIO:
        return TemporaryFile(buffering=0)       # as long as this object

    def __len__(self) -> int:
        return self._count

    def append(self, rows: ArrayLike) -> None:
        """Add rows (k, width), (k) of single numbers.  Raises OSError."""
        data = np.ascontiguousarray(rows, self._kind).reshape(-1, self._width)
        view = memoryview(data.tobytes())
        while view:
            view = view[self._file.write(view):]
        self._count += len(data)

    def rows(self, begin: int, end: int) -> np.ndarray:
        """Return rows from one number to before another, (k, width), (k) of single numbers."""
        size = self._kind.itemsize * self._width
        begin, end = max(0, begin), min(end, self._count)
        data = os.pread(self._file.fileno(), max(0, end - begin) * size, begin * size)
        numbers = np.frombuffer(data, self._kind)
        return numbers if self._width == 1 else numbers.reshape(-1, self._width)

    def blocks(self) -> Iterator[np.ndarray]:
        """Yield all rows, some at a time."""
        for begin in range(0, self._count, _BLOCK):
            yield self.rows(begin, begin + _BLOCK)

    def median(self) -> float:
        """Return the exact median of single finite numbers, of at least one."""
        return 0.5 * (self._ranked((self._count - 1) // 2) + self._ranked(self._count // 2))

    def _ranked(self, rank: int) -> float:
        """Return the number of which `rank` others are at most as large: it is narrowed down."""
        low, high = -np.inf, np.inf         # from low to below high
        while True:
            parts = [(part.min(), part.max(), len(part)) for part in self._between(low, high)]
            least, most = min(one for one, _, _ in parts), max(one for _, one, _ in parts)
            if least == most:
                return float(least)
            if sum(count for _, _, count in parts) <= _BLOCK:
                return float(np.sort(np.concatenate(list(self._between(low, high))))[rank])
            edges = np.linspace(float(least), float(most), _BINS + 1)
            ends = np.cumsum(sum(np.histogram(part, edges)[0]
                                 for part in self._between(low, high)))
            chosen = int(np.searchsorted(ends, rank, side='right'))
            rank -= int(ends[chosen - 1]) if chosen else 0
            low = edges[chosen]
            high = edges[chosen + 1] if chosen + 1 < _BINS else np.nextafter(edges[-1], np.inf)

    def _between(self, low: float, high: float) -> Iterator[np.ndarray]:
        """Yield the numbers from low to below high, some at a time, never none."""
        for block in self.blocks():
            part = block[(block >= low) & (block < high)]
            if len(part):
                yield part
