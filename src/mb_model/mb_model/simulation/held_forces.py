"""Forces and loads from stamped messages, which act on a mechanism until the next ones."""

from bisect import insort
from collections.abc import Mapping, Sequence
import math
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from mb_model.forces.kinds.load import Load
from mb_model.record import MAX_LOADS
from mb_model.space.forces.wrench import Wrench

if TYPE_CHECKING:
    from mb_model.mechanism import Mechanism
    from mb_model.stepping.stepper import Stepper

_LONGEST_QUEUE = 10_000     # messages of the future that are kept
_FARTHEST = 3_600_000_000_000       # ahead of the last look that a message may be [ns]


class StampedHold:
    """A value for each of some names at any time [ns], as a function of the stamps of messages.

    A message gives values for names, which hold from its stamp on, with the stamp 0 from the next
    look on.  Messages may come ahead of their time, in any order; one that comes after it holds
    from the next look on, unless a newer one has come before.
    """

    def __init__(self, timeout: float = 0.0) -> None:
        """timeout: how long a value holds [s]; 0: until the next one."""
        self._timeout = round(1e9 * timeout)
        self.used = self.late = 0       # messages since the start, and those after their time
        self.clear()

    def clear(self) -> None:
        """Forget all values."""
        self._waiting: list[tuple[int, dict[str, Any]]] = []    # messages in the order of stamps
        self._held: dict[str, tuple[int, Any]] = {}             # name -> (stamp, value)
        self._now = 0

    def add(self, stamp: int, values: Mapping[str, Any]) -> None:
        """Take in a message, a mapping.

        Raises ValueError for a stamp that is implausibly far ahead, and if too many wait already.
        """
        if 0 < self._now < stamp - _FARTHEST:
            raise ValueError(f'stamp {stamp / 1e9:.3f} s is more than an hour ahead')
        if len(self._waiting) == _LONGEST_QUEUE:
            raise ValueError(f'{_LONGEST_QUEUE} messages wait for their time already')
        self.used += 1
        self.late += 0 < stamp < self._now
        insort(self._waiting, (stamp or self._now, dict(values)), key=itemgetter(0))

    def at(self, time: int) -> dict[str, Any]:
        """Return name -> value held at a time [ns], not before the time of the last look."""
        self._now = time
        while self._waiting and self._waiting[0][0] <= time:
            stamp, values = self._waiting.pop(0)
            for name, value in values.items():
                if name not in self._held or stamp >= self._held[name][0]:
                    self._held[name] = stamp, value
        return {name: value for name, (stamp, value) in self._held.items()
                if not self._timeout or time - stamp < self._timeout}


class HeldForces:
    """What acts on a mechanism from outside at any time, as a function of stamps [ns]."""

    def __init__(self, mechanism: 'Mechanism', timeout: float = 0.0) -> None:
        """timeout: how long a message holds [s]; 0: until the next one."""
        self._mechanism = mechanism
        self._forces, self._loads = StampedHold(timeout), StampedHold(timeout)
        self._frames: set[str] = set()      # where loads have acted
        self._acting: tuple[Load | Wrench, ...] = ()
        self.rejected = 0

    @property
    def used(self) -> int:
        """How many messages were used."""
        return self._forces.used + self._loads.used

    @property
    def late(self) -> int:
        """How many of those came after their time."""
        return self._forces.late + self._loads.late

    def clear(self) -> None:
        """Forget all forces; goes with a reset of the stepper."""
        self._forces.clear()
        self._loads.clear()
        self._frames.clear()
        self._acting = ()

    def add_forces(self, stamp: int, names: Sequence[str], forces: Sequence[float]) -> None:
        """Take in forces on coordinates by name; raises ValueError for what cannot be."""
        try:
            if not names or len(names) != len(forces):
                raise ValueError(f'{len(names)} names with {len(forces)} efforts, expected one for '
                                 'each name')
            for name, force in zip(names, forces, strict=True):
                if name not in self._mechanism.coordinates:
                    raise ValueError(f'{name}: unknown coordinate, expected one of '
                                     f'{", ".join(self._mechanism.coordinates)}')
                if not math.isfinite(force):
                    raise ValueError(f'{name}: effort {force} is not finite')
            self._forces.add(stamp, dict(zip(names, forces, strict=True)))
        except ValueError:
            self.rejected += 1
            raise

    def add_load(self, stamp: int, frame: str, force: Sequence[float],
                 moment: Sequence[float]) -> None:
        """Take in force and moment (3) in a frame; raises ValueError for what cannot be.

        frame: a body: it acts in the origin of the body's frame, in whose axes it is given; or a
        point, in space body.point: a force on that point in global axes.  In the plane the force
        across it counts for nothing, nor do moments about its axes.
        """
        try:
            if not all(math.isfinite(value) for value in (*force, *moment)):
                raise ValueError(f'{frame}: wrench {*force, *moment} is not finite')
            load = self._load(frame, force, moment)
            if frame not in self._frames and len(self._frames) == MAX_LOADS:
                raise ValueError(f'{frame}: loads act in {MAX_LOADS} other frames already')
            self._loads.add(stamp, {frame: load})
            self._frames.add(frame)
        except ValueError:
            self.rejected += 1
            raise

    def act(self, stepper: 'Stepper', time: int) -> None:
        """Let what holds at a time [ns] act on a stepper from its next step on."""
        forces, loads = self._forces.at(time), self._loads.at(time)
        stepper.forces[:] = [forces.pop(name, 0.0) for name in self._mechanism.independent]
        stepper.coordinate_forces[:] = 0.0
        for name, force in forces.items():
            stepper.coordinate_forces[self._mechanism.coordinates.index(name)] = force
        acting = tuple(loads[frame] for frame in sorted(loads))
        if acting != self._acting:
            stepper.apply_loads(acting)
            self._acting = acting

    def _load(self, frame: str, force: Any, moment: Any) -> Load | Wrench:
        """Return the Load of a message, in space the Wrench."""
        if self._mechanism.dimension == 3:
            return self._wrench(frame, force, moment)
        force, moment = tuple(force[:2]), moment[2]
        bodies = self._mechanism.bodies
        if frame in bodies:
            return Load(frame, (0.0, 0.0), force, moment, turning=True)
        body = next((name for name, body in bodies.items() if frame in body.points), None)
        if body is None:
            raise ValueError(f'{frame}: unknown frame, expected a body ({", ".join(bodies)}) or a '
                             'point of one')
        if moment:
            raise ValueError(f'{frame}: a point takes no moment, name a body')
        return Load(body, frame, force)

    def _wrench(self, frame: str, force: Any, moment: Any) -> Wrench:
        bodies = self._mechanism.bodies
        name, _, point = frame.partition('.')
        if name not in bodies or (point and point not in bodies[name].points):
            raise ValueError(f'{frame}: unknown frame, expected a body ({", ".join(bodies)}) or '
                             'body.point')
        if bodies[name].slender:
            raise ValueError(f'{frame}: {name} is slender, which takes no loads')
        if not point:
            return Wrench(name, force=force, moment=moment, turning=True)
        if any(moment):
            raise ValueError(f'{frame}: a point takes no moment, name a body')
        return Wrench(name, point, force)
