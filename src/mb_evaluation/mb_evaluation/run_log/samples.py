"""Stamped rows of numbers, ordered by stamps, not by arrival."""

import numpy as np
from numpy.typing import ArrayLike


class Samples:
    """Rows by stamp [ns]; the last one given for a stamp counts."""

    def __init__(self, *sizes: int) -> None:
        """Expect arrays of these sizes in every row."""
        self._sizes = sizes
        self._rows: dict[int, list[np.ndarray]] = {}
        self.newest = 0         # the greatest stamp [ns]

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, stamp: int, *arrays: ArrayLike) -> None:
        """Note the row of a stamp.  Raises ValueError if the sizes do not fit."""
        row = [np.array(array, float).ravel() for array in arrays]
        sizes = tuple(array.size for array in row)
        if sizes != self._sizes:
            raise ValueError(f'arrays of {", ".join(map(str, sizes))} numbers where '
                             f'{", ".join(map(str, self._sizes))} are expected')
        self._rows[stamp] = row
        self.newest = max(self.newest, stamp)

    @property
    def latest(self) -> list[np.ndarray]:
        """The arrays of the greatest stamp."""
        return self._rows[self.newest]

    @property
    def stamps(self) -> np.ndarray:
        """All stamps (k) [ns], ascending."""
        return np.array(sorted(self._rows), dtype=np.int64)

    def columns(self, stamps: np.ndarray | None = None) -> list[np.ndarray]:
        """Return each array of every row, (k, size), at all stamps or at given known ones."""
        stamps = self.stamps if stamps is None else stamps
        rows = [self._rows[stamp] for stamp in stamps.tolist()]
        return [np.array([row[i] for row in rows], float).reshape(len(rows), size)
                for i, size in enumerate(self._sizes)]

    def held(self, stamps: np.ndarray) -> list[np.ndarray]:
        """Return each array as it is held from one of its stamps to the next; NaN before."""
        rows = np.searchsorted(self.stamps, stamps, side='right') - 1
        return [np.where(rows[:, None] < 0, np.nan, column[rows]) if len(column)
                else np.full((len(stamps), column.shape[1]), np.nan) for column in self.columns()]

    def missing(self) -> int:
        """Return how many rows a periodic stream misses.

        A row in between, as from a restarted node, does not count for another.
        """
        steps = np.diff(self.stamps)
        if not steps.size:
            return 0
        return int(np.maximum(0.0, np.rint(steps / np.median(steps)) - 1.0).sum())
