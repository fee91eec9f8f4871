"""Rows of numbers of the last seconds."""

import numpy as np

_FIRST = 64      # rows that there is room for at first


class Series:
    """Stamps [ns] and rows (columns), appended at the end and dropped at the beginning.

    Numbers that are not known are NaN.
    """

    def __init__(self, columns):
        self._stamps = np.empty(_FIRST, np.int64)
        self._rows = np.empty((_FIRST, columns))
        self._begin = self._end = 0

    def of(self, place, stamp):
        """Return the rows (k, columns of a slice) in which these columns are known, oldest first.

        They begin with the first newer than a stamp.
        """
        kept = slice(self._begin, self._end)
        rows, stamps = self._rows[kept, place], self._stamps[kept]
        known = rows[:, 0] == rows[:, 0]
        if not known.all():
            rows, stamps = rows[known], stamps[known]
        return rows[_first_after(stamps, stamp):]

    def append(self, stamp, row):
        """Add a row."""
        if self._end == len(self._stamps):
            self._make_room()
        self._stamps[self._end], self._rows[self._end] = stamp, row
        self._end += 1

    def drop_until(self, stamp):
        """Drop rows from the beginning, as long as they are not newer than a stamp."""
        self._begin += _first_after(self._stamps[self._begin:self._end], stamp)

    def _make_room(self):
        """Move the rows to the beginning of new arrays, twice as long as they are."""
        count = self._end - self._begin
        stamps, rows = (np.empty((2 * max(count, _FIRST), *old.shape[1:]), old.dtype)
                        for old in (self._stamps, self._rows))
        kept = slice(self._begin, self._end)
        stamps[:count], rows[:count] = self._stamps[kept], self._rows[kept]
        self._stamps, self._rows, self._begin, self._end = stamps, rows, 0, count


def _first_after(stamps, stamp):
    """Return the number of the first of stamps that is newer than a stamp, theirs without any."""
    newer = stamps > stamp
    return int(newer.argmax()) if newer.any() else len(stamps)
