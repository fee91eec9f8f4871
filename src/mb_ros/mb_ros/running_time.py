"""Wall time as far as this process ran: patience must not count a standstill."""

import time

LONGEST = 1.0       # wall time between two looks beyond which the process may have stood still [s]
BUSY = 0.5          # share of that which it worked, if it did not
ACCOUNTED = 0.1     # wall time between two looks at the processor's time, which cost 1 to 50 us [s]


class RunningTime:
    """A clock that is looked at again and again, and stands still while the process does.

    A process that was stopped, or a machine that slept, finds queues full and others gone when it
    goes on.  What it waits for may have come meanwhile.  It stood still if much wall time passed
    between two looks, and little of the processor's time.
    """

    def __init__(self, longest: float = LONGEST) -> None:
        """Begin at 0; longest: what a standstill counts for [s]."""
        self._longest, self._passed = longest, 0.0
        self._looked = self._accounted = time.monotonic()
        self._worked = time.process_time()      # up to then
        self.stood_still = 0.0      # wall time between the last two looks, if it did [s]

    def now(self) -> float:
        """Look; return the time in which the process ran [s]."""
        now = time.monotonic()
        passed, self._looked = now - self._looked, now
        stood_still = False
        if now - self._accounted > min(ACCOUNTED, self._longest):
            worked = time.process_time()
            stood_still = passed > self._longest and worked - self._worked < BUSY * passed
            self._accounted, self._worked = now, worked
        self.stood_still = passed if stood_still else 0.0
        self._passed += self._longest if stood_still else passed
        return self._passed
