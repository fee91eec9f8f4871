"""Whether an estimate is reliable, by its readings and how they fit."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field

from mb_estimators.filter import DivergenceError, Innovation
from mb_estimators.state import state_class
from mb_sensors import NANOSECONDS

_SILENT = 5.5             # periods without a reading


def longest_silence(rate: float) -> int:
    """Return how long [ns] a good sensor with a rate [Hz] may be silent."""
    return round(_SILENT / rate * NANOSECONDS)


@state_class
class TrustState:
    """Of each sensor the stamp of its last reading, and of a bad one not long ago with the reason.
    """

    seen: dict[str, int] = field(default_factory=dict)
    bad: dict[str, tuple[int, str]] = field(default_factory=dict)

    def forget(self, sensor: str) -> None:
        """Forget all readings of a sensor."""
        self.seen.pop(sensor, None)
        self.bad.pop(sensor, None)

    def saw(self, stamp: int, sensors: Iterable[str]) -> None:
        """Note the sensors with readings."""
        self.seen.update(dict.fromkeys(sensors, stamp))

    def missed(self, stamp: int, sensor: str, what: str) -> None:
        """Note in words why a reading of a sensor is bad."""
        self.bad[sensor] = stamp, what


class Trust:
    """Returns in words why an estimate is not reliable, as a function of stamps [ns]."""

    def __init__(self, rates: Mapping[str, float], hold: float) -> None:
        """Set up for sensors by name with their rates [Hz]; hold [s]: after a bad reading."""
        self._longest = {name: longest_silence(rate) for name, rate in rates.items()}
        self._shortest = min(self._longest.values(), default=0)
        self._hold = round(hold * NANOSECONDS)

    def problem(self, state: TrustState, stamp: int, off: Collection[str], alarmed: bool,
                lost: str = '') -> str:
        """Return the problem at a stamp, empty without one.

        off: names of sensors that are off, which may be silent; alarmed: innovations are too large;
        lost: why the estimate cannot be right, in words.
        """
        for name in [name for name, (when, _) in state.bad.items() if stamp - when > self._hold]:
            del state.bad[name]
        if not (alarmed or lost or state.bad) and self._none_silent(state, stamp):
            return ''
        problems = [f'lost: {lost}'] if lost else []
        problems += [f'silent: {name}' for name, longest in self._longest.items()
                  if name not in off and stamp - state.seen.setdefault(name, stamp) > longest]
        problems += [f'{name} {what}' for name, (_, what) in state.bad.items()]
        if alarmed and not lost:
            problems.append('innovations are too large')
        return ', '.join(problems)

    def holds(self, state: TrustState, stamp: int, sensor: str, what: str) -> bool:
        """Return whether a reason for distrust at a stamp has been noted already."""
        when, known = state.bad.get(sensor, (stamp, ''))
        return known == what and stamp - when <= self._hold

    def _none_silent(self, state: TrustState, stamp: int) -> bool:
        """Return whether readings of all came within the longest silence of the fastest one."""
        return (len(state.seen) == len(self._longest)
                and stamp - min(state.seen.values()) <= self._shortest)


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
