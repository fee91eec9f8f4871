"""States and torques of drives by their stamps, judged in the order of the states."""

from collections import deque
from typing import Any

from mb_contact.detection.contact import Contact
from mb_contact.detection.detector import ContactDetector
from mb_contact.detection.encoder_motion import EncoderMotion
from mb_contact.detection.state import State
from mb_estimators import HeldInputs, ReadInputs
from mb_model.arrays import FloatArray
from mb_ros.stamp_jump_guard import FAR, JUMP, CommonTime, StampJumpGuard

_LONGEST = 1000      # states that wait for torques
_STATES, _TORQUES, _ENCODERS = range(3)
_RETURN = 1_000_000_000     # states farther behind are of a time that begins anew [ns]


class ContactStream:
    """Lets a detector judge states; they and the torques may come in any order.

    A commanded torque holds from its stamp on until the next one; what was read counts at its
    stamp, with a line to the next one, no longer than the detector's longest_gap.  The observer
    gets means, the direct method what is at the stamp of a state.  A state waits until the
    torques up to its stamp are known: for torques of its stamp or a later one.  States must come
    in order, but for corrected ones of past instants.  States without torques are left out:
    `without_torques` counts them.  With an EncoderMotion, which replaces pose and velocity, they
    wait for encoders, too; those without a reading of their stamp are left out: `without_encoders`.
    Stamps that jump are believed as CommonTime does: `jumped`
    counts those left out; if time begins anew, the detector does, too.
    """

    def __init__(self, detector: ContactDetector, inputs: type[HeldInputs] = HeldInputs,
                 encoders: EncoderMotion | None = None) -> None:
        """Set up for a ContactDetector; inputs: HeldInputs or ReadInputs, how torques act."""
        self.without_torques, self.jumped, self._new_torques = 0, 0, inputs
        self.without_encoders, self._encoders = 0, encoders
        self.use(detector)
        self.reset()

    def use(self, detector: ContactDetector) -> None:
        """Let another detector judge from now on."""
        self.detector = detector
        self._longest_gap = round(1e9 * detector.settings.longest_gap)

    def reset(self) -> None:
        """Forget all states and torques, so that stamps may begin anew."""
        gap = self._longest_gap
        self._time = CommonTime(StampJumpGuard(gap // JUMP, FAR, max(gap, _RETURN)),
                                *(StampJumpGuard(gap // JUMP, FAR, gap) for _ in range(2)))
        self._begin()

    def _begin(self) -> None:
        """Judge as after a start."""
        self.detector.reset()
        self._torques, self._waiting = self._new_torques(), deque[State]()
        self._newest: int | None = None     # stamp of a state that was judged
        self._known: int | None = None      # stamp up to which torques are known
        self._seen: int | None = None       # and the encoders
        if self._encoders:
            self._encoders.reset()

    def add_torques(self, stamp: int, torques: FloatArray) -> list[tuple[State, Contact]]:
        """Add torques (d) [N or N m] of a stamp [ns]; return [(State, Contact)] they complete.

        Past torques are left out.
        """
        return self._take(_TORQUES, stamp, torques)

    def add_angles(self, stamp: int, angles: FloatArray) -> list[tuple[State, Contact]]:
        """Add what encoders read (g) at a stamp [ns]; return [(State, Contact)] they complete.

        Past readings are left out.
        """
        return self._take(_ENCODERS, stamp, angles)

    def add_state(self, state: State) -> list[tuple[State, Contact]]:
        """Add a State; return [(State, Contact)] that are complete."""
        return self._take(_STATES, state.stamp, state)

    def _take(self, stream: int, stamp: int, item: Any) -> list[tuple[State, Contact]]:
        believed, lies, anew = self._time.take(stream, stamp, item)
        self.jumped += lies
        if anew:
            self._begin()
        for owner, at, one in believed:
            if owner == _STATES:
                self._wait(one)
            elif owner == _ENCODERS:
                self._read(at, one)
            elif self._known is None or at > self._known:
                self._hold(at, one)
        return self._judge() if self._waiting else []

    def _hold(self, stamp: int, torques: FloatArray) -> None:
        """Take the torques of a stamp, newer than all before."""
        since, self._known = self._known, stamp
        if (self._new_torques is ReadInputs and since is not None
                and stamp - since > self._longest_gap):
            self._torques = ReadInputs()        # what acted in between is not known
        self._torques.add(stamp, torques)

    def _read(self, stamp: int, angles: FloatArray) -> None:
        """Take the readings of encoders at a stamp, if it is newer than all before."""
        if self._encoders and (self._seen is None or stamp > self._seen):
            self._encoders.hold(stamp, angles)
            self._seen = stamp

    def _is_known(self, stamp: int) -> bool:
        """Return whether torques, and readings of encoders if there are some, are known by then."""
        known = (self._known, self._seen) if self._encoders else (self._known,)
        return all(newest is not None and stamp <= newest for newest in known)

    def _wait(self, state: State) -> None:
        """Let a state wait for torques."""
        self._waiting.append(state)
        if len(self._waiting) > _LONGEST:
            self._waiting.popleft()
            self.without_torques += 1

    def _judge(self) -> list[tuple[State, Contact]]:
        judged = []
        while self._waiting and self._is_known(self._waiting[0].stamp):
            state: State | None = self._waiting.popleft()
            if self._encoders:
                state = self._encoders.moved(state, self._longest_gap)
                if state is None:
                    self.without_encoders += 1
                    continue
            now = self._torques.at(state.stamp)
            torques = self._mean_until(state.stamp, now)
            if torques is None:
                self.without_torques += 1
                continue
            judged.append((state, self.detector.update(
                state.stamp, state.z, state.zd, state.zdd, state.covariance, torques, state.q,
                now)))
            if self._newest is None or state.stamp > self._newest:
                self._newest = state.stamp
                self._torques.forget_before(state.stamp - self._longest_gap)
                if self._encoders:
                    self._encoders.forget_before(state.stamp - self._longest_gap)
        return judged

    def _mean_until(self, stamp: int, now: FloatArray | None) -> FloatArray | None:
        """Return the mean torques since the newest stamp, or the torques until a stamp.

        now: torques that were read at it, None for commands.  None if they are not known.
        """
        newest = self._newest
        if newest is not None and 0 < stamp - newest <= self._longest_gap:
            start = newest
        elif now is not None:
            return now
        else:
            start = stamp - 1
        total: Any = 0.0
        for duration, torques in self._torques.between(start, stamp):
            if torques is None:
                return None
            if duration == stamp - start:
                return torques
            total = total + duration * torques
        return total / (stamp - start)
