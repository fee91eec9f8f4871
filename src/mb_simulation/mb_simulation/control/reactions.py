"""Reactions of a machine to detected contacts, each at a time that follows from its stamp.
"""

from bisect import insort

import numpy as np
from numpy.typing import ArrayLike

from mb_simulation.control.motion import Following, Motion, Trajectory


class Braking:
    """From the present state straight on to rest, and stays there."""

    duration = np.inf

    def __init__(self, t: float, z: ArrayLike, zd: ArrayLike, time: float) -> None:
        """Brake evenly from t [s] on for a time [s]; z, zd (g): there."""
        self._t, self._z, self._zd, self._time = t, np.array(z), np.array(zd), time

    def at(self, t: float) -> Motion:
        """Return the Motion at t [s]."""
        u = min(max(t - self._t, 0.0), self._time)
        zdd = -self._zd / self._time
        still = t - self._t >= self._time
        return Motion(self._z + u * (self._zd + 0.5 * u * zdd), self._zd + u * zdd,
                      np.zeros_like(zdd) if still else zdd)


class Retraction:
    """Back along a trajectory, then rest.

    The time along the trajectory runs on ever slower, backwards, and stops: its rate falls evenly
    from 1 to -1 in two braking times, stays, and rises to 0 in one.
    """

    duration = np.inf

    def __init__(self, trajectory: Trajectory | Following, t: float, time: float,
                 back: float) -> None:
        """Turn round at t [s] with a braking time [s], and go back for a time `back` [s]."""
        self._trajectory, self._t, self._time, self._back = trajectory, t, time, back

    def at(self, t: float) -> Motion:
        """Return the Motion at t [s]."""
        progress, rate, change = self._along(max(t - self._t, 0.0))
        if progress <= 0.0:      # where the trajectory begins it rests
            progress, rate, change = 0.0, 0.0, 0.0
        z, zd, zdd = self._trajectory.at(progress)
        return Motion(z, rate * zd, rate * rate * zdd + change * zd)

    def _along(self, u: float) -> tuple[float, float, float]:
        """Return the time along the trajectory, its rate and the rate's derivative."""
        t, time, back = self._t, self._time, self._back
        turn = 2.0 * time
        if u < turn:
            return t + u - 0.5 * u * u / time, 1.0 - u / time, -1.0 / time
        if u < turn + back:
            return t - (u - turn), -1.0, 0.0
        v = min(u - turn - back, time)
        return t - back - v + 0.5 * v * v / time, v / time - 1.0, (1.0 / time if v < time else 0.0)


class DetectedContacts:
    """Judged instants with a contact, by the times at which they take effect.

    A contact takes effect `delay` after the stamp of the state that was judged, so that reactions
    depend on stamps alone.  One that is known only after its time takes effect at once.
    """

    def __init__(self, delay: float) -> None:
        """delay [s]; 0: contacts take effect as soon as they are known."""
        self._delay = round(1e9 * delay)
        self._waiting = []      # (time of effect [ns], whether it came too late), by time
        self._now = 0

    def add(self, stamp: int) -> None:
        """Add a contact of a judged stamp [ns]; 0: its time is unknown, it takes effect at once."""
        if not (stamp and self._delay):
            insort(self._waiting, (0, False))
            return
        time = stamp + self._delay
        insort(self._waiting, (time, time <= self._now))

    def due(self, now: int) -> int | None:
        """Return how late the first contact is that is due at a time [ns], None if none is.

        0: it came in time.
        """
        self._now, late = now, None
        while self._waiting and self._waiting[0][0] <= now:
            time, missed = self._waiting.pop(0)
            if late is None:
                late = now - time if missed else 0
        return late
