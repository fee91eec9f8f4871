"""States and torques of drives by their stamps, judged in the order of the states."""

from collections import deque
from typing import NamedTuple

import numpy as np

from mb_contact.stamps_again import StampsAgain
from mb_estimators.inputs import HeldInputs

_LONGEST = 1000      # states that wait for torques


class State(NamedTuple):
    """An estimated state at a stamp [ns]; see ContactDetector.update."""

    stamp: int
    z: np.ndarray
    zd: np.ndarray
    zdd: np.ndarray
    covariance: np.ndarray | None
    q: np.ndarray | None = None


class ContactStream:
    """Lets a detector judge states, in whatever order they and the torques come in.

    A torque acts from its stamp on until the next one.  A state waits until it is known what the
    drives did until then: for torques of its stamp or a later one.  States must come in order
    themselves, but for corrected ones of past instants.  What has no torques is left out:
    `without_torques` counts.  Torques whose stamps begin anew begin everything anew.
    """

    def __init__(self, detector):
        self.without_torques = 0
        self.use(detector)
        self.reset()

    def use(self, detector):
        """Let another detector judge from now on."""
        self.detector = detector
        self._longest_gap = round(1e9 * detector.settings.longest_gap)

    def reset(self):
        """Forget all that was heard, so that stamps may begin anew."""
        self.detector.reset()
        self._torques, self._waiting, self._newest = HeldInputs(), deque(), None
        self._again = StampsAgain(self.detector.settings.longest_gap)

    def add_torques(self, stamp, torques):
        """Take in torques (d) [N or N m] of a stamp [ns]; return [(State, Contact)] they complete.

        Those of the past are left out.
        """
        if self._again.has_begun(stamp):
            self.reset()
        newest = self._torques.newest
        if newest is None or stamp > newest:
            self._torques.add(stamp, torques)
        return self._judge() if self._waiting else []

    def add_state(self, state):
        """Take in a State; return [(State, Contact)] that are complete."""
        self._waiting.append(state)
        if len(self._waiting) > _LONGEST:
            self._waiting.popleft()
            self.without_torques += 1
        return self._judge()

    def _judge(self):
        judged, known = [], self._torques.newest
        while self._waiting and known is not None and self._waiting[0].stamp <= known:
            state = self._waiting.popleft()
            torques = self._mean_until(state.stamp)
            if torques is None:
                self.without_torques += 1
                continue
            judged.append((state, self.detector.update(
                state.stamp, state.z, state.zd, state.zdd, state.covariance, torques, state.q)))
            if self._newest is None or state.stamp > self._newest:
                self._newest = state.stamp
                self._torques.forget_before(state.stamp - self._longest_gap)
        return judged

    def _mean_until(self, stamp):
        """Return the mean torques since the newest stamp, or those that hold just before a stamp.

        None where they are not known.
        """
        newest = self._newest
        goes_on = newest is not None and 0 < stamp - newest <= self._longest_gap
        start = newest if goes_on else stamp - 1
        total = 0.0
        for duration, torques in self._torques.between(start, stamp):
            if torques is None:
                return None
            if duration == stamp - start:
                return torques
            total = total + duration * torques
        return total / (stamp - start)
