"""The state of an estimator: all that its future depends on beside the readings to come."""

from collections import Counter
from dataclasses import field
from enum import Enum, auto
import math
from math import inf
from typing import Any, NamedTuple, Self

import numpy as np

from mb_estimators.state import copied, state_class
from mb_estimators.stream.history import History
from mb_estimators.stream.interpolation import Interpolation
from mb_estimators.timeline import HeldInputs
from mb_estimators.watches.gating import GateState
from mb_estimators.watches.lost import LostState, LostWatch
from mb_estimators.watches.repeats import RepeatState, StuckState
from mb_estimators.watches.trust import DivergenceState, TrustState
from mb_estimators.watches.turns import TurnState
from mb_ros.stamp_jump_guard import StampJumpGuard
from mb_sensors import NANOSECONDS

_SOON = 1.25        # periods between two readings, at which none is missing yet


class Verdict(Enum):
    """Why a reading was not kept for its instant."""

    NOT_NEWER = auto()      # its sensor has sent this stamp or a later one before
    TOO_LATE = auto()       # the instant has been estimated already
    KNOWN = auto()          # it has been used, before the process went on from a file
    TOO_FAR = auto()        # implausibly far ahead of everything known
    CLOCK_JUMP = auto()     # so many elsewhere that the clock must have jumped: start anew
    FIRST_DENIED = auto()   # its sensor's first stamp was a lie, which is withdrawn: add it again


class Suspect(NamedTuple):
    """An item with a stamp [ns] elsewhere, and its verdict; sensor: None for inputs."""

    verdict: Verdict | None
    sensor: str | None
    stamp: int
    values: Any


@state_class
class Source:
    """The stamps of one sensor [ns], its oldest and its newest."""

    rate: float
    soon: float                 # between two that miss none
    oldest: int | None = None
    newest: int | None = None
    is_late: bool = False       # its last reading came after its instant, and is of use

    @classmethod
    def of(cls, rate: float) -> Self:
        """Return the Source of a sensor with a rate [Hz], before any reading."""
        return cls(rate, _SOON * NANOSECONDS / rate)

    @property
    def is_alone(self) -> bool:
        """Whether there is one stamp so far."""
        return self.oldest is not None and self.oldest == self.newest

    def missing_between(self, stamp: int, next_stamp: int) -> int:
        """Return how many readings there should have been between two."""
        periods = (next_stamp - stamp) / NANOSECONDS * self.rate
        return max(0, math.floor(periods + 0.5) - 1)


@state_class
class OrderState:
    """Readings that wait for their instants to be complete, and the stamps of earlier ones.

    sources: of the sensors that are waited for; waiting: stamp -> {sensor: values}; lines: the
    Interpolation of each sensor by name, None for the readings as they are; released: stamp [ns] of
    the last instant, -1 before the first; newest: the newest of all stamps; missing: how many
    readings are, by the gaps; suspects: items elsewhere in a row; known: sensor -> how many
    readings that have been used may still come again; catch_up_until: stamp [ns] with readings that
    have waited for this process.
    """

    sources: dict[str, Source]
    released: int = -1
    newest: int | None = None
    missing: int = 0
    waiting: dict[int, dict[str, Any]] = field(default_factory=dict)
    lines: dict[str, Interpolation] | None = None
    suspects: list[Suspect] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    catch_up_until: int | None = None

    def ended(self, end: int) -> 'OrderState':
        """Return the state for another process to continue from, after a stamp [ns]."""
        return OrderState(self.sources, end, self.newest, self.missing)


@state_class
class Switches:
    """Whether the readings of a sensor are used; all are until it is switched off.

    A sensor that is switched on again is used after the stamp [ns] of the last instant until then.
    last: sensor -> (on, stamp after which that holds).
    """

    last: dict[str, tuple[bool, int]] = field(default_factory=dict)

    @property
    def off(self) -> list[str]:
        """Names of the sensors that are switched off."""
        return [name for name, (on, _) in self.last.items() if not on]

    def is_on(self, sensor: str, stamp: int) -> bool:
        """Return whether a reading of a sensor at a stamp is used."""
        if not self.last:
            return True
        on, since = self.last.get(sensor, (True, -inf))
        return on and stamp > since

    def begin_again(self) -> None:
        """Leave the sensors as they are, for stamps that begin anew."""
        self.last = dict.fromkeys(self.off, (False, -1))


@state_class
class Counts:
    """Counts of the readings since the start; ignored: of sensors switched off."""

    used: int = 0
    rejected: int = 0
    late: int = 0
    ignored: int = 0


@state_class
class IntakeState:
    """Counts, which sensors are on, and the StampJumpGuard of each sensor."""

    counts: Counts = field(default_factory=Counts)
    switches: Switches = field(default_factory=Switches)
    guards: dict[str, StampJumpGuard] = field(default_factory=dict)


@state_class
class Opening:
    """The instants until every sensor has been confirmed by further readings that fit.

    start: a copy of the RunState before the first one; used: how many readings of sensors were;
    instants: how many there were; doubted: whether the first of them did not fit the start; other:
    a copy of the RunState without the first of them, which may be right instead; since: stamp of
    the first reading in it [ns].
    """

    start: Any = None
    used: dict[str, int] = field(default_factory=dict)
    instants: int = 0
    doubted: bool = False
    other: Any = None
    since: int = 0


@state_class
class RunState:
    """The state of a filter between instants, and the notes of its watches.

    filter: the state of the filter itself, None for one that cannot go back; good:
    z, zd (g) of the last good estimate; now: stamp [ns], None before the first instant if that is
    not given; diverged: why the filter cannot go on, or empty; used, rejected: readings;
    unused: instants in a row of which no reading was used; incredible: how often the readings of a
    sensor were; came, left_out: how many of each sensor came to the filter, and were not used;
    opening: of the first instants, None after them.
    """

    filter: Any
    good: tuple[np.ndarray, np.ndarray]
    lost: LostState
    now: int | None = None
    diverged: str = ''
    used: int = 0
    rejected: int = 0
    unused: int = 0
    incredible: dict[str, int] = field(default_factory=dict)
    came: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    gates: GateState = field(default_factory=GateState)
    divergence: DivergenceState = field(default_factory=DivergenceState)
    trust: TrustState = field(default_factory=TrustState)
    stuck: StuckState = field(default_factory=StuckState)
    turns: TurnState = field(default_factory=TurnState)
    repeats: RepeatState = field(default_factory=RepeatState)
    opening: Opening | None = None


@state_class
class StreamState:
    """The state of an EstimateStream, which owns it, and figures from it.

    missing_before: readings that were missing before stamps began anew; history: None for a stream
    that does not go back.
    """

    run: RunState
    order: OrderState
    intake: IntakeState = field(default_factory=IntakeState)
    inputs: HeldInputs = field(default_factory=HeldInputs)
    missing_before: int = 0
    history: History | None = None

    def to_go_on_from(self) -> 'StreamState':
        """Return a copy from which another process continues.

        Waiting readings are not in it: they must come again.  With a history it is the state at
        its beginning: late readings may come for all later instants.
        """
        run, end = self.run, self.order.released
        if self.history:
            run, end = self.history.oldest.after, self.history.oldest.stamp
        intake = IntakeState(self.intake.counts, self.intake.switches)
        state: StreamState = copied(StreamState(
            run, self.order.ended(end), intake, self.inputs, self.missing_before))
        return state

    @property
    def counts(self) -> Counts:
        """Counts of the readings."""
        own, run = self.intake.counts, self.run
        return Counts(own.used + run.used, own.rejected + run.rejected, own.late, own.ignored)

    @property
    def off(self) -> list[str]:
        """Names of the sensors that are switched off."""
        return self.intake.switches.off

    @property
    def incredible(self) -> Counter[str]:
        """How many readings of each sensor were not credible."""
        return Counter(self.run.incredible)

    @property
    def diverged(self) -> str:
        """Why the filter cannot go on, empty if it can."""
        return self.run.diverged

    @property
    def lost(self) -> str:
        """Why the last readings, also impossible ones, say that the estimate cannot be right."""
        return LostWatch.of_readings(self.run.lost)

    @property
    def left_out(self) -> dict[str, tuple[int, int]]:
        """How many readings of a sensor were left out, and of how many, where any were."""
        return {name: (count, self.run.came[name]) for name, count in self.run.left_out.items()}

    @property
    def missing(self) -> int:
        """How many readings of periodic sensors are missing, by the gaps between stamps."""
        return self.missing_before + self.order.missing

    @property
    def newest(self) -> int | None:
        """The newest stamp of all readings [ns], None before the first."""
        return self.order.newest
