"""From the time of a device, which begins anew after a period, to our time."""

_LARGEST_DRIFT = 200e-6     # of quartz clocks against each other
_JUMP = 1_000_000_000       # disagreement [ns] beyond which the device must have restarted


def nearest(count: int, period: int, near: int) -> int:
    """Return the number nearest to `near` that a counter shows as `count`.

    period: after which the counter begins anew; of two as near the lesser.
    """
    ahead = (count - near) % period
    return near + ahead - (period if ahead >= (period + 1) // 2 else 0)


class DeviceClock:
    """Relates the free-running clock of a device to ours by the fastest readings.

    A reading never comes before it is taken, so the smallest difference between arrival and device
    time is the offset of the clocks and the least delay; larger differences are jitter.
    The difference may grow as fast as quartz clocks drift apart.  When it turns out to be smaller,
    time goes on at half its pace until it is right: later samples never seem to be older.
    """

    def __init__(self, period: int) -> None:
        """Set up for a clock that begins anew after a period [ns]."""
        self._period = period
        self._offset = 0
        self._last: int | None = None
        self._given = 0             # the last arrival that was returned [ns]

    def arrival(self, device_time: int, arrival: int) -> int:
        """Return when a sample of a device time [ns] would have come [ns] but for jitter."""
        if self._last is None:
            self._last, self._offset = device_time, arrival - device_time
            self._given = arrival
            return arrival
        elapsed = nearest(device_time, self._period, self._last) - self._last
        self._last += elapsed       # less than before of an older one than the last
        difference = arrival - self._last
        if abs(difference - self._offset) > _JUMP:
            self._offset, self._given = difference, arrival
            return arrival
        creep = round(max(0, elapsed) * _LARGEST_DRIFT)
        self._offset = min(self._offset + creep, difference)
        self._given = max(self._last + self._offset, self._given + elapsed // 2)
        return self._given


class Unwrapped:
    """The time of a count that begins anew after a period, also while many counts are lost.

    last_count: the one before, None before the first.
    """

    def __init__(self, period: int) -> None:
        """Set up for a count of nanoseconds that begins anew after a period [ns]."""
        self.last_count: int | None = None
        self._period = period
        self._time = self._arrival = 0

    def take(self, count: int, arrival: int) -> int:
        """Return the time [ns] of a count that came at an arrival [ns].

        The first is the one nearest to its arrival; others are as far from the one before as they
        arrived, to the nearest period.
        """
        since = (self._time - self._arrival) if self.last_count is not None else 0
        self._time = nearest(count, self._period, arrival + since)
        self.last_count, self._arrival = count, arrival
        return self._time
