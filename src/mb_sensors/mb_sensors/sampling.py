"""When a periodic sensor takes its readings, and their numbers."""

NANOSECONDS = 1_000_000_000
_TOLERANCE = 1e-3      # of a period: stamps are rounded to whole nanoseconds


def reading_number(stamp, rate):
    """Return the number of the reading that is due at or last before a stamp [ns], at a rate [Hz].

    Counted from the origin of time, so that the number follows from the stamp alone.
    """
    whole, rest = divmod(stamp, NANOSECONDS)
    # Whole seconds apart: wall-clock stamps would leave a double with too few digits for the rest.
    periods = whole * rate
    return int(periods + rest * rate / NANOSECONDS + _TOLERANCE)


class Sampler:
    """Tells at which stamps of the truth a reading falls due."""

    def __init__(self, rate):
        self._rate = rate
        self._last = None

    def due(self, stamp):
        """Return the number of the reading to take at this stamp [ns], or None.

        Stamps that do not advance give none.
        """
        number = reading_number(stamp, self._rate)
        if self._last is not None and number <= self._last:
            return None
        self._last = number
        return number
