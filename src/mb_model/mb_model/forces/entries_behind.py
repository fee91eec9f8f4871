"""Entries of q behind the coordinates and what is fixed: efforts of drives, prescribed values.

They move with no coordinate; kernels write them before forces and constraints are evaluated.
"""

from collections.abc import Iterable


class EntriesBehind:
    """Where they are: one for each friction by load, then one for each prescribed coordinate.

    end: behind the last one, which is the length of arrays over coordinates.
    """

    def __init__(self, first: int, by_load: Iterable[str], prescribed: Iterable[str]) -> None:
        """Set up; first: index of the first of them; names of forces and of coordinates."""
        self._efforts, self._prescribed = list(by_load), list(prescribed)
        self._first, self._driven = first, first + len(self._efforts)
        self.end = self._driven + len(self._prescribed)

    def effort(self, force: str) -> int:
        """Return the index of the effort of the drive that a force rubs on."""
        return self._first + self._efforts.index(force)

    def driven(self, coordinate: str) -> int:
        """Return the index of the value that a prescribed coordinate follows."""
        return self._driven + self._prescribed.index(coordinate)
