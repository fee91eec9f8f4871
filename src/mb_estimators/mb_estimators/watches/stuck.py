"""Sensors that are stuck, and filters whose readings fit worse and worse."""

from collections.abc import Sequence
from dataclasses import field

from mb_estimators.filter import DivergenceError, Innovation
from mb_estimators.filter.sensor_channels import SensorChannels
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

    def __init__(self, channels: SensorChannels, repetitions: int) -> None:
        """Set up for the channels of sensors; repetitions: 0 for never."""
        self._channels, self._enough = channels, repetitions
        self.watches = repetitions > 0

    def sticks(self, state: StuckState, sensor: str, values: Sequence[float]) -> bool:
        """Add a reading; return whether it is to be left out."""
        values = tuple(values)
        if state.last.get(sensor) != values:
            state.repeated[sensor] = 0
            state.stuck.discard(sensor)
        state.last[sensor] = values
        state.repeated[sensor] += 1
        return sensor in state.stuck

    def check(self, state: StuckState, innovation: Innovation) -> list[str]:
        """Look at how the last readings fitted; return the sensors that stick from now on."""
        bounds = _DEVIATIONS ** 2 * innovation.covariance.diagonal()
        far = self._channels.names(innovation.channels[innovation.residual ** 2 > bounds])
        sticking = [name for name in far if state.repeated.get(name, 0) > self._enough
                    and name not in state.stuck]
        state.stuck.update(sticking)
        return sticking


@state_class
class DivergenceState:
    """since: stamp [ns] from which on innovations have been beyond the bound, None if not now."""

    since: int | None = None

    @property
    def alarmed(self) -> bool:
        """Whether the last innovation was beyond the bound."""
        return self.since is not None


class DivergenceWatch:
    """Raises an alarm when the normalized innovation squared stays beyond a bound for a time."""

    def __init__(self, bound: float, duration: float) -> None:
        """Set the bound of NIS per reading and the time [s] that it may be exceeded."""
        self._bound = bound
        self._duration = duration

    def check(self, state: DivergenceState, stamp: int, innovation: Innovation) -> None:
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
