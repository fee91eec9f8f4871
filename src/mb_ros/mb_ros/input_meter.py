"""How the inputs of a node come in, and whether it keeps up with them."""

from collections import deque
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from mb_ros.checked_stamps import NANOSECONDS, CheckedStamps
from mb_ros.stamps import nanoseconds

_MOST = 100_000     # steps that are remembered between two looks


class InputMeter:
    """Counts the messages of one input, and how long each keeps the node busy.

    nanoseconds_of: turns stamps into whole nanoseconds, at a look only.
    """

    def __init__(self, name: str, nanoseconds_of: Callable[[Any], int] = nanoseconds) -> None:
        self.name, self._nanoseconds_of = name, nanoseconds_of
        self.ignored = 0                    # messages that came while the node was not active
        self.stamps: CheckedStamps | None = None        # of messages
        self._count = 0
        self._stamp: Any = None             # of the newest message
        self._arrival: float | None = None  # of it [s]
        # how long messages since the last look took [s]
        self._busy: deque[float] = deque(maxlen=_MOST)
        # count and stamp [ns], at the last look
        self._before: tuple[int, int | None] = 0, None

    @property
    def is_silent(self) -> bool:
        """Whether no message has been taken yet."""
        return self._arrival is None

    def take(self, begin: float, end: float, stamp: Any) -> None:
        """Count a message of a stamp that took from begin to end [s]."""
        self._count += 1
        self._arrival, self._stamp = begin, stamp
        self._busy.append(end - begin)

    def look(self, now: float) -> tuple[dict[str, Any], float, list[float]]:
        """Return (figures by name, rate [Hz] or 0, durations [s]) since the last look.

        The rate is by stamps, the age in the time of begin and end: now [s].
        """
        stamp = None if self._stamp is None else self._nanoseconds_of(self._stamp)
        count, before = self._before
        span = 0 if stamp is None or before is None else stamp - before
        rate = (self._count - count) * NANOSECONDS / span if span > 0 else 0.0
        busy, self._before = list(self._busy), (self._count, stamp)
        self._busy.clear()
        age = 'never' if self._arrival is None else f'{now - self._arrival:.3f}'
        figures: dict[str, Any] = {
            f'{self.name} rate [Hz]': f'{rate:.1f}', f'{self.name} age [s]': age}
        if self.ignored:
            figures[f'{self.name} ignored while paused'] = self.ignored
        if self.stamps is not None:
            figures |= {f'{self.name} stamps {what}': count
                        for what, count in self.stamps.counts.items()}
        return figures, rate, busy


def pace(meters: Sequence[InputMeter], now: float) -> tuple[dict[str, Any], str]:
    """Return (figures by name, what is wrong in words) of InputMeters since the last look.

    The deadline of a step is the period of the fastest input.  A node whose steps take longer than
    the time that their stamps cover falls behind.
    """
    looks = [meter.look(now) for meter in meters]
    figures = {name: value for own, _, _ in looks for name, value in own.items()}
    steps = [duration for _, _, busy in looks for duration in busy]
    if not steps:
        return figures, ''
    figures |= {'step time median [ms]': f'{1e3 * median(steps):.3f}',
                'step time worst [ms]': f'{1e3 * max(steps):.3f}'}
    rate = max(rate for _, rate, _ in looks)
    if not rate:
        return figures, ''
    load = sum(rate * sum(busy) / len(busy) for _, rate, busy in looks if busy)
    figures |= {'deadline [ms]': f'{1e3 / rate:.3f}',
                'steps beyond the deadline': sum(step * rate > 1.0 for step in steps),
                'load [%]': f'{100 * load:.0f}'}
    problem = f'too slow: messages of a second take {load:.2f} s' if load > 1.0 else ''
    return figures, problem
