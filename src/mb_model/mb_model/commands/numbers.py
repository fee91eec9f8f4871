"""Numbers that commands take: finite, and in a range."""

from argparse import ArgumentTypeError


class Number:
    """Type of an option: a number in a range, ends included; whole: without a fraction."""

    def __init__(self, least: float, most: float, whole: bool = False) -> None:
        self._least, self._most, self._whole = least, most, whole

    def __call__(self, text: str) -> float:
        """Return the number of a text.  Raises ArgumentTypeError."""
        value: float | None
        try:
            value = int(text) if self._whole else float(text)
        except ValueError:
            value = None
        if value is None or not self._least <= value <= self._most:      # nan is in no range
            raise ArgumentTypeError(
                f'{text[:40]!r} must be a {"whole " * self._whole}number from {self._least:g} to '
                f'{self._most:g}')
        return value


POSITIVE = Number(1e-9, 1e9)            # a time [s], step, error or factor
COUNT = Number(0, 2 ** 31 - 1, whole=True)          # a seed, too
POSITIVE_COUNT = Number(1, 2 ** 31 - 1, whole=True)
