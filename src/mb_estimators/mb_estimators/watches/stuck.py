"""Sensors that are stuck, and filters whose readings fit worse and worse."""

from dataclasses import field

from mb_estimators.filter import DivergenceError
from mb_estimators.state import state_class
from mb_sensors import NANOSECONDS

_DEVIATIONS = 4.0         # of an innovation that a repeated reading cannot have


@state_class
class StuckState:
    """The last values of each sensor, how often they came in a row, and which sensors stick."""

    last: dict[str, tuple[float, ...]] = field(default_factory=dict)
    repeated: dict[str, int] = field(default_factory=dict)
    stuck: set[str] = field(default_factory=set)


class StuckWatch:
    """Leaves readings of a sensor out that are repeated where they can no longer be true.

    A sensor may repeat itself: at rest, or for its resolution.  It sticks when it has done so often
    enough, and its innovation has become too large; until it reads anything else.
    watches: whether there is anything to ask it.
    """

    def __init__(self, places, repetitions):
        """Set up for sensors with their slices of all channels; repetitions: 0 for never."""
        self._places, self._enough = places, repetitions
        self.watches = repetitions > 0

    def sticks(self, state, sensor, values):
        """Add a reading; return whether it is to be left out."""
        values = tuple(values)
        if state.last.get(sensor) != values:
            state.repeated[sensor] = 0
            state.stuck.discard(sensor)
        state.last[sensor] = values
        state.repeated[sensor] += 1
        return sensor in state.stuck

    def check(self, state, innovation):
        """Look at how the last readings fitted; return the sensors that stick from now on."""
        found = []
        for place, channel in enumerate(innovation.channels):
            bound = _DEVIATIONS ** 2 * innovation.covariance[place, place]
            if innovation.residual[place] ** 2 > bound:
                found += [name for name, own in self._places.items()
                          if own.start <= channel < own.stop
                          and state.repeated.get(name, 0) > self._enough
                          and name not in state.stuck]
        state.stuck.update(found)
        return found


@state_class
class DivergenceState:
    """since: stamp [ns] from which on innovations have been beyond the bound, None if not now."""

    since: int | None = None

    @property
    def alarmed(self):
        """Whether the last innovation was beyond the bound."""
        return self.since is not None


class DivergenceWatch:
    """Raises an alarm when the normalized innovation squared stays beyond a bound for a time."""

    def __init__(self, bound, duration):
        """Set the bound of NIS per reading and the time [s] that it may be exceeded."""
        self._bound = bound
        self._duration = duration

    def check(self, state, stamp, innovation):
        """Look at the Innovation of a stamp [ns].  Raises DivergenceError.

        An Innovation without any used reading says nothing.
        """
        if len(innovation.channels) == 0:
            return
        if innovation.nis <= self._bound * len(innovation.channels):
            state.since = None
            return
        if state.since is None:
            state.since = stamp
        elapsed = (stamp - state.since) / NANOSECONDS
        if elapsed >= self._duration:
            raise DivergenceError(
                f'normalized innovation squared above {self._bound:g} per reading '
                f'for {elapsed:.3g} s')
