"""Detection that a filter's predictions have nothing to do with the readings any more."""

from mb_estimators.filter import DivergenceError
from mb_estimators.state import state_class
from mb_sensors import NANOSECONDS


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
