"""Unknown masses from messages of an estimator and of sensors, in whatever order topics come."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from mb_contact.arguments import ContactError
from mb_contact.detection.messages import STATE, STATE_TYPE
from mb_contact.payload.centred_estimator import CentredEstimator
from mb_contact.payload.estimator import Payload, PayloadEstimator
from mb_contact.payload.motion import HYDRAULICS, HYDRAULICS_TYPE, Instant, array, motion_of, square
from mb_contact.payload.payload_settings import PayloadSettings
from mb_contact.payload.read_forces import ReadForces
from mb_model import Mechanism
from mb_model.file_api import stamp_of
from mb_ros.stamp_jump_guard import FAR, JUMP, CommonTime, StampJumpGuard


class StampedPairs:
    """Gives pairs in the order of their stamps.

    Each stream has to come in order; the two may come in any order.  An item without a partner when
    a later pair is complete, or behind `longest` others that wait, counts as lost.
    """

    def __init__(self, longest: int = 1000) -> None:
        self._waiting, self._longest = ({}, {}), longest
        self.lost = 0

    def add(self, stream: int, stamp: int, item: Any) -> tuple[Any, Any] | None:
        """Add an item of stream 0 or 1; return the pair (of 0, of 1) it completes, or None."""
        mine, others = self._waiting[stream], self._waiting[1 - stream]
        if stamp not in others:
            mine[stamp] = item
            if len(mine) > self._longest:
                self.lost += 1
                del mine[next(iter(mine))]
            return None
        other = others.pop(stamp)
        for waiting in self._waiting:
            for old in [before for before in waiting if before < stamp]:
                del waiting[old]
                self.lost += 1
        return (item, other) if stream == 0 else (other, item)


class EstimatedOil:
    """Instants from MechanismStates and HydraulicStates of the same stamps.

    topics: (name, type) of each input; lost: messages that had no partner.
    """

    topics = (STATE, STATE_TYPE), (HYDRAULICS, HYDRAULICS_TYPE)

    def __init__(self, mechanism: Mechanism) -> None:
        """Set up for a mechanism with hydraulics."""
        self._mechanism = mechanism
        self.reset()

    @property
    def lost(self) -> int:
        """How many messages had no partner."""
        return self._pairs.lost

    def reset(self) -> None:
        """Forget all messages."""
        self._pairs = StampedPairs()

    def add(self, stream: int, stamp: int, message: Any) -> list[Instant]:
        """Add a message of an input, by its number; return the Instants that are complete.

        Raises ValueError for a pair that is not of the mechanism.
        """
        pair = self._pairs.add(stream, stamp, message)
        return [] if pair is None else [self._instant(stamp, *pair)]

    def _instant(self, stamp: int, motion: Any, oil: Any) -> Instant:
        circuit, moved = self._mechanism.circuit, motion_of(self._mechanism, motion)
        for name, given, expected in (('volume', oil.volume, circuit.volumes),
                                      ('valve', oil.valve, circuit.valves)):
            if tuple(given) != tuple(expected):
                raise ValueError(
                    f'{HYDRAULICS}: {name}: [{", ".join(given)}] must be '
                    f'[{", ".join(expected)}], as in {self._mechanism.name}')
        states = 3 * self._mechanism.g + len(circuit.volumes) + len(circuit.valves)
        covariance = square(HYDRAULICS, oil.covariance, states)
        return Instant(stamp, motion.header.frame_id, moved.z, moved.zd, moved.zdd, moved.q,
                       array(oil.pressure), covariance, None, oil.distrust)


class Weighed(NamedTuple):
    """A Payload of a stamp [ns]; frame: of the message of the motion."""

    stamp: int
    frame: str
    payload: Payload


def _require_elastic_forces(mechanism: Mechanism, unknown_forces: Sequence[str]) -> None:
    """Raise ContactError unless the state alone says what carries masses: how bodies bend."""
    if not mechanism.flexible_bodies:
        raise ContactError(f'mechanism: {mechanism.file} has no section hydraulics, expected one '
                           'whose cylinders carry the masses, or torque_sensors, or flexible '
                           'bodies')
    unread = [name for name in mechanism.drives if name not in unknown_forces]
    if unread:
        raise ContactError(f'torque_sensors: none on {", ".join(unread)}, expected one on each '
                           'drive, or their names among unknown_forces')


class PayloadStream:
    """Lets a PayloadEstimator weigh what messages hold; all nodes and commands weigh by it.

    topics: (name, type) of each input; rejected: messages that are not of the mechanism; jumped:
    messages whose stamp is far from those around it.
    """

    def __init__(self, mechanism: Mechanism, masses: Sequence[str], settings: PayloadSettings,
                 pressures: Sequence[str] = (), torque_sensors: Sequence[str] = (),
                 note: Callable[[Instant], object] = lambda _: None,
                 unknown_centre: str = '') -> None:
        """Set up for the names of masses, PayloadSettings, and names of sensors of the forces.

        note: called with each Instant; unknown_centre: body that is weighed with its centre of
        gravity, in place of the masses, '': none.  Without sensors an estimator gives pressures;
        on a machine without hydraulics the elastic forces of flexible bodies carry the masses,
        known by its state alone.  Raises ContactError, MechanismError, SensorError.
        """
        self._sensors, self._note = (pressures, torque_sensors), note
        self._inputs = self._inputs_of(mechanism, settings)
        self.estimator: PayloadEstimator | CentredEstimator
        self.estimator, self.topics = (
            CentredEstimator(mechanism, unknown_centre, settings) if unknown_centre else
            PayloadEstimator(mechanism, masses, settings), self._inputs.topics)
        self.rejected = self.jumped = 0
        self.reset()

    def _inputs_of(self, mechanism: Mechanism,
                   settings: PayloadSettings) -> ReadForces | EstimatedOil:
        if mechanism.circuit is not None and not any(self._sensors):
            return EstimatedOil(mechanism)
        if not any(self._sensors):
            _require_elastic_forces(mechanism, settings.unknown_forces)
        return ReadForces(mechanism, *self._sensors, settings.longest_gap,
                          settings.unknown_forces)

    def change_to(self, settings: PayloadSettings) -> Callable[[], None]:
        """Return a function that goes on with other PayloadSettings; raises ContactError.

        With other unknown forces, or another longest gap, messages that wait are forgotten.
        """
        now, estimator = self.estimator.settings, self.estimator.with_settings(settings)
        same = (settings.unknown_forces, settings.longest_gap) == (
            now.unknown_forces, now.longest_gap)
        inputs = self._inputs if same else self._inputs_of(estimator.mechanism, settings)

        def use() -> None:
            self.estimator, self._inputs = estimator, inputs
        return use

    @property
    def lost(self) -> int:
        """How many messages had no partner."""
        return self._inputs.lost

    def reset(self) -> None:
        """Forget everything, as after a start."""
        gap = round(1e9 * self.estimator.settings.longest_gap)
        self._time = CommonTime(*(StampJumpGuard(gap // JUMP, FAR, gap) for _ in self.topics))
        self._begin()

    def _begin(self) -> None:
        self._first: int | None = None      # stamp [ns]
        self._last: int | None = None
        self._inputs.reset()
        self.estimator.reset()

    def take(self, stream: int, message: Any,
             report: Callable[[str], object]) -> list[Weighed]:
        """Take in a message of an input, by its number; return what is Weighed by it.

        report: called with what is wrong with messages that are left out.
        """
        believed, lies, anew = self._time.take(stream, stamp_of(message), message)
        if anew:
            self._begin()
        if lies:
            self.jumped += lies
            report(f'{self.topics[stream][0]}: a stamp is far from those around it: left out')
        weighed = []
        for owner, stamp, one in believed:
            try:
                instants = self._inputs.add(owner, stamp, one)
            except ValueError as error:
                self.rejected += 1
                report(str(error))
            else:
                weighed += [self._weigh(instant) for instant in instants]
        return weighed

    def _weigh(self, instant: Instant) -> Weighed:
        stamp = instant.stamp
        self._note(instant)
        if self._first is None:
            self._first = stamp
        elif self._last == self._first and stamp > self._first:
            self.estimator.reset(dt=1e-9 * (stamp - self._first))
        self._last = stamp
        return Weighed(stamp, instant.frame, self.estimator.update(
            stamp, instant.z, instant.zd, instant.zdd, instant.p, instant.covariance,
            instant.q, instant.forces, instant.distrust))
