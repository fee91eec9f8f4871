"""Stamps that jump: believed only when others confirm them.  The rule of every input.

A single wrong stamp that was believed would make all the right ones after it look old.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

JUMP = 10           # periods between two stamps: more have to be confirmed
CONFIRMED = 10      # stamps in a row elsewhere, in order, that are believed
FAR = 10_000_000_000        # ahead of all that was believed: elsewhere [ns]


class Passage(NamedTuple):
    """What becomes of stamped items: (stamp [ns], item), the oldest first.

    believed: to be used now; lies: left out for good; anew: whether the believed ones are elsewhere
    than before, since time has started again there.
    """

    believed: list[tuple[int, Any]]
    lies: list[tuple[int, Any]]
    anew: bool = False


@dataclass(slots=True, eq=False)
class StampJumpGuard:
    """Holds back what is stamped far from what came before, until others confirm or deny it.

    A stamp that is ahead by more than ten periods, or ten times the last interval, waits for the
    next one: either both are believed, since there was a gap, or the first is a lie.  Stamps
    farther ahead than `far`, or farther behind than `behind`, are elsewhere: ten in a row, in order
    and without a gap of more than `far`, are believed, since time has begun anew.  What is less far
    behind is late or repeated, and passes.
    """

    period: int         # items come once in it [ns], or less often
    far: int | None = None          # [ns]; None where others judge what is elsewhere
    behind: int | None = None
    newest: int | None = field(default=None, init=False)    # stamp that is believed [ns]
    bound: int = field(init=False)      # to the next one
    doubtful: tuple[int, Any] | None = field(default=None, init=False)  # waits for the next one
    suspects: list[tuple[int, Any]] = field(init=False)     # elsewhere, in a row

    def __post_init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Believe the next item whatever its stamp."""
        self.newest = self.doubtful = None
        self.bound = JUMP * self.period
        self.suspects = []

    def follow(self) -> tuple[list[tuple[int, Any]], int]:
        """Begin anew with what waits elsewhere, because another stream of the same time has.

        Returns (what is believed, how many items are lies).
        """
        believed, lies = self.suspects, self.doubtful is not None
        self.forget()
        if believed:
            self.newest = believed[-1][0]
        return believed, int(lies)

    def goes_on(self, stamp: int) -> bool:
        """Believe a stamp [ns] at once if nothing is in doubt; return whether it was believed."""
        newest = self.newest
        if (newest is None or self.doubtful or self.suspects
                or not newest < stamp <= newest + self.bound):
            return False
        self._believe(newest, stamp)
        return True

    def take(self, stamp: int, item: Any) -> Passage:
        """Take in an item with its stamp [ns]; return the Passage of what is decided by it."""
        if self.newest is None:
            self.newest = stamp
            return Passage([(stamp, item)], [])
        if self._is_elsewhere(self.newest, stamp):
            return self._suspect(stamp, item)
        denied, self.suspects = self.suspects, []
        believed, lies = self._take_near(self.newest, stamp, item)
        return Passage(believed, denied + lies)

    @property
    def waits(self) -> bool:
        """Whether something waits to be confirmed."""
        return bool(self.doubtful or self.suspects)

    def settle(self) -> Passage:
        """Believe what waits, since nothing has contradicted it for long; return the Passage."""
        doubtful, suspects = self.doubtful, self.suspects
        if suspects:
            self.forget()
            self.newest = suspects[-1][0]
            return Passage(suspects, [doubtful] if doubtful else [], anew=True)
        if doubtful:
            self._believe(self.newest, doubtful[0])
            return Passage([doubtful], [])
        return Passage([], [])

    def _is_elsewhere(self, newest: int, stamp: int) -> bool:
        doubtful = self.doubtful
        known = doubtful[0] if doubtful and doubtful[0] < stamp else newest
        return ((self.far is not None and stamp - known > self.far)
                or (self.behind is not None and newest - stamp > self.behind))

    def _suspect(self, stamp: int, item: Any) -> Passage:
        """Note an item elsewhere; believe all of them when they are enough."""
        lies, suspects = [], self.suspects
        if suspects and not 0 < stamp - suspects[-1][0] <= (self.far or FAR):
            lies, suspects = suspects, []
        suspects.append((stamp, item))
        if len(suspects) < CONFIRMED:
            self.suspects = suspects
            return Passage([], lies)
        if self.doubtful:
            lies = [self.doubtful, *lies]
        self.forget()
        self._believe(suspects[-2][0], stamp)
        return Passage(suspects, lies, anew=True)

    def _take_near(self, newest: int, stamp: int,
                   item: Any) -> tuple[list[Any], list[Any]]:
        """Return what is believed now, and what are lies, of the doubtful item and another one."""
        doubtful, given = self.doubtful, (stamp, item)
        if stamp <= newest:                         # old: says nothing of what is ahead
            return [given], []
        if doubtful and stamp == doubtful[0]:       # sent twice: no witness
            return [], [given]
        if stamp <= newest + self.bound:
            self._believe(newest, stamp)
            return [given], [doubtful] if doubtful else []
        if doubtful and 0 < stamp - doubtful[0] <= max(self.bound, doubtful[0] - newest):
            self._believe(doubtful[0], stamp)
            return [doubtful, given], []
        self.doubtful = given
        return [], [doubtful] if doubtful else []

    def _believe(self, before: int | None, stamp: int) -> None:
        """Go on from a stamp after the one before it [ns]."""
        self.newest, self.doubtful = stamp, None
        self.bound = JUMP * max(self.period, stamp - (stamp if before is None else before))


class CommonTime:
    """StampJumpGuards of several streams whose stamps are of one time, and begin anew together.

    What of the others waits to be confirmed elsewhere is believed with the first that begins anew.
    """

    def __init__(self, *guards: StampJumpGuard) -> None:
        """Set up for the StampJumpGuard of each stream."""
        self._guards = guards

    @property
    def newest(self) -> int | None:
        """The newest stamp that is believed [ns], None before the first."""
        return max((guard.newest for guard in self._guards if guard.newest is not None),
                   default=None)

    def forget(self) -> None:
        """Believe the next item of each stream whatever its stamp."""
        for guard in self._guards:
            guard.forget()

    def take(self, stream: int, stamp: int, item: Any) -> tuple[list[tuple[int, int, Any]], int,
             bool]:
        """Take in an item of a stream, by its number, with its stamp [ns].

        Returns ([(stream, stamp, item)] to be used now, how many items are left out for good,
        whether time has begun anew there).
        """
        believed, lies, anew = self._guards[stream].take(stamp, item)
        kept, lost = [(stream, *one) for one in believed], len(lies)
        if anew:
            for other, guard in enumerate(self._guards):
                if other != stream:
                    waiting, denied = guard.follow()
                    kept += [(other, *one) for one in waiting]
                    lost += denied
        return kept, lost, anew
