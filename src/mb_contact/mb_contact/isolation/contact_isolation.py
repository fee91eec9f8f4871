"""Which body is touched, along a stream of states that a detector judges."""

from collections import deque
from copy import copy

from mb_contact.detection.contact import Contact
from mb_contact.isolation.hypothesis import Hypothesis
from mb_contact.isolation.isolation import Isolation
from mb_contact.isolation.isolation_settings import IsolationSettings
from mb_model import Mechanism
from mb_model.arrays import FloatArray


class ContactIsolation:
    """An Isolation that begins and ends with the contacts of a detector.

    Forces without a covariance are left out.  The motion some time before the detection counts as
    the motion that led to the contact: since then the contact has changed it.
    method: of the detector, whose forces are weighed.
    """

    def __init__(self, mechanism: Mechanism, settings: IsolationSettings | None = None,
                 method: str = 'direct') -> None:
        """Set up; raises ContactError."""
        self._use(Isolation(mechanism, settings))
        self.method = method
        self.reset()

    def with_settings(self, settings: IsolationSettings) -> 'ContactIsolation':
        """Return an isolation with other settings that continues from here."""
        other = copy(self)
        other._motion = self._motion.copy()
        other._use(self._isolation.with_settings(settings))
        return other

    def _use(self, isolation):
        self._isolation = isolation
        self._before = round(1e9 * isolation.settings.before)

    def reset(self) -> None:
        """Forget everything: as if it had just been made."""
        self._isolation.reset()
        self._since = 0
        self._motion: deque[tuple[int, FloatArray]] = deque()

    def update(self, stamp: int, zd: FloatArray, contact: Contact,
               q: FloatArray | None = None) -> None:
        """Add a state, its zd (g), and the Contact judged at it; stamp in ns.

        q (n): its position, default: the one at which hypotheses are asked for.
        """
        if not contact.detected:
            self._since = 0
            self._remember(stamp, zd)
            return
        if contact.since != self._since:
            self._since = contact.since
            self._isolation.reset()
        for force in contact.forces:
            if force.method == self.method and len(force.covariance):
                self._isolation.update(stamp, zd, force.force, force.covariance,
                                       self._motion[0][1] if self._motion else zd, q)

    def hypotheses(self, z: FloatArray, near: FloatArray | None = None) -> list[Hypothesis]:
        """Return hypotheses at z (g), most probable first; none without a contact.

        near: see Isolation.  Raises MechanismError.
        """
        return self._isolation.hypotheses(z, near) if self._since else []

    def _remember(self, stamp, zd):
        """Keep motions back to `before`, the oldest first; older stamps begin anew."""
        if self._motion and stamp < self._motion[0][0]:
            self._motion.clear()
        self._motion.append((stamp, zd))
        while stamp - self._motion[0][0] > self._before:
            self._motion.popleft()
