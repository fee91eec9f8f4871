"""Rows of numbers of the last seconds."""

import numpy as np

_FIRST = 64      # rows that there is room for at first


class Series:
    """Stamps [ns] and rows (columns), appended at the end and dropped at the beginning."""

    def __init__(self, columns):
        self._stamps = np.empty(_FIRST, np.int64)
        self._rows = np.empty((_FIRST, columns))
        self._begin = self._end = 0

    @property
    def rows(self):
        """All rows (k, columns), oldest first; valid until the next append."""
        return self._rows[self._begin:self._end]

    def append(self, stamp, row):
        """Add a row."""
        if self._end == len(self._stamps):
            self._make_room()
        self._stamps[self._end], self._rows[self._end] = stamp, row
        self._end += 1

    def drop_until(self, stamp):
        """Drop rows from the beginning, as long as they are not newer than a stamp."""
        kept = np.flatnonzero(self._stamps[self._begin:self._end] > stamp)
        self._begin = self._begin + int(kept[0]) if len(kept) else self._end

    def _make_room(self):
        """Move the rows to the beginning of new arrays, twice as long as they are."""
        count = self._end - self._begin
        stamps, rows = (np.empty((2 * max(count, _FIRST), *old.shape[1:]), old.dtype)
                        for old in (self._stamps, self._rows))
        stamps[:count], rows[:count] = self._stamps[self._begin:self._end], self.rows
        self._stamps, self._rows, self._begin, self._end = stamps, rows, 0, count
