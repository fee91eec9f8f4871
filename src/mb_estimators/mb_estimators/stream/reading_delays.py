"""How late readings come, and how long instants wait for them, since the last look."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from statistics import median

from mb_estimators.stream.step import Step

_KEPT = 1000            # durations of a sensor between two looks; of more, the last ones count
_INSTANTS = 10_000      # that may wait; of more, the last ones are timed
_MS = 1e6               # [ns]


class _Durations:
    """Durations [ns] since the last look: the last ones, and the longest of all."""

    def __init__(self) -> None:
        self._last: deque[int] = deque(maxlen=_KEPT)
        self._longest: int | None = None

    def add(self, duration: int) -> None:
        """Note one."""
        self._last.append(duration)
        self._longest = duration if self._longest is None else max(self._longest, duration)

    def look(self) -> tuple[float, float] | None:
        """Return (median, longest) [ms] since the last look, None without any."""
        longest = self._longest
        if longest is None:
            return None
        middle = median(self._last)
        self._last.clear()
        self._longest = None
        return middle / _MS, longest / _MS


class ReadingDelays:
    """Times the readings of a stream by the clock of a node, beside the stream.

    An instant waits from the first reading that is as new until the Step of it comes, and it waits
    for the sensors that are behind it then, or else for the sensors of the last message.
    """

    def __init__(self, sensors: Iterable[str], behind: Callable[[int], Sequence[str]]) -> None:
        """Set up for sensors by name, and others that instants wait for.

        behind(stamp): names of what has not come as far as a stamp [ns], by the stream.
        """
        self._behind = behind
        self._late = {name: _Durations() for name in sensors}
        self._waited = {name: _Durations() for name in self._late}
        self.forget()

    def forget(self) -> None:
        """Time no instant that has begun to wait; stamps may begin anew."""
        # stamps that were the newest of all, in order, and when they came [ns]
        self._stamps: deque[int] = deque(maxlen=_INSTANTS)
        self._arrivals: deque[int] = deque(maxlen=_INSTANTS)

    def saw(self, names: Sequence[str], stamp: int, arrival: int, newest: int | None,
            steps: Iterable[Step]) -> None:
        """Note the readings of sensors of a stamp that came at an arrival [ns].

        newest: the stream's newest stamp after them; steps: the Steps that they completed.
        """
        for name in names:
            if name in self._late:
                self._late[name].add(arrival - stamp)
        if newest is not None and (not self._stamps or newest != self._stamps[-1]):
            if self._stamps and newest < self._stamps[-1]:
                self.forget()
            self._stamps.append(newest)
            self._arrivals.append(arrival)
        for step in steps:
            if step.late is None:
                self._end_of_wait(step.stamp, arrival, names)

    def _end_of_wait(self, stamp: int, now: int, last: Sequence[str]) -> None:
        """Note that the instant of a stamp waits no longer, and for which names it did."""
        stamps, arrivals = self._stamps, self._arrivals
        while stamps and stamps[0] < stamp:
            stamps.popleft()
            arrivals.popleft()
        if arrivals:
            for name in self._behind(stamp) or last:
                if name in self._waited:
                    self._waited[name].add(now - arrivals[0])

    def look(self) -> dict[str, str]:
        """Return figures by name since the last look; what has not come has none."""
        figures: dict[str, str] = {}
        longest: dict[str, tuple[float, float]] = {}
        for name, late in self._late.items():
            waited = self._waited[name].look()
            for words, durations in ((f'{name} behind stamp', late.look()),
                                 (f'waited for {name}', waited)):
                if durations is not None:
                    figures[f'{words} median [ms]'] = f'{durations[0]:.3f}'
                    figures[f'{words} worst [ms]'] = f'{durations[1]:.3f}'
            if waited is not None:
                longest[name] = waited
        if longest:
            figures['estimates wait longest for'] = max(longest, key=longest.__getitem__)
        return figures
