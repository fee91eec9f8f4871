"""The state of readings that are being put in order."""

from dataclasses import field
from enum import Enum, auto
import math
from typing import Any, NamedTuple

from mb_estimators.state import state_class
from mb_estimators.stream.interpolation import Interpolation
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
    def of(cls, rate):
        """Return the Source of a sensor with a rate [Hz], before any reading."""
        return cls(rate, _SOON * NANOSECONDS / rate)

    @property
    def is_alone(self):
        """Whether there is one stamp so far."""
        return self.oldest is not None and self.oldest == self.newest

    def missing_between(self, stamp, next_stamp):
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

    def ended(self, end):
        """Return the state for another process to continue from, after a stamp [ns]."""
        return OrderState(self.sources, end, self.newest, self.missing)
