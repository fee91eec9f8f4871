"""Which body is touched, and where: by one force, and along a stream that a detector judges."""

from collections import deque
from copy import copy
from typing import Any

from numba import float64, int64
import numpy as np

from mb_contact.detection.contact import Contact
from mb_contact.isolation.candidates import candidates_of, mode_spread, modes_of, stuck_spread
from mb_contact.isolation.hypothesis import MOST_WINDOWS, Hypothesis, IsolationSettings, Touch
from mb_contact.isolation.isolation_record import EVIDENCE, FRAME
from mb_contact.isolation.kernels.evidence import judge
from mb_contact.isolation.kernels.explanation import OPEN
from mb_contact.isolation.kernels.windows import take
from mb_estimators import copied, restore
from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray
from mb_model.kernel_api import bound, find_references

_REAL, _array = np.dtype(np.float64), np.ascontiguousarray       # as kernels take numbers
_LEAST = 1e-3        # a less probable hypothesis is left out
_CONTACT = EVIDENCE.names('contact')


class Isolation:
    """Weighs hypotheses on contacts by a force from outside on z.

    Bayes' rule over a grid of points and directions of friction on the surface of every body with
    a shape, and of things between two links that share a joint.  A hypothesis that explains more
    forces than another is less probable if both explain this one.
    """

    Settings = IsolationSettings

    def __init__(self, mechanism: Mechanism, settings: IsolationSettings | None = None) -> None:
        """Set up; raises ContactError for a mechanism whose bodies have no shapes."""
        mechanism.require_holonomic('isolation of contacts')
        mechanism.require_masses('isolation of contacts')
        self.settings = settings or IsolationSettings()
        self._mechanism = mechanism
        modes, velocities, priors = modes_of(
            mechanism.dimension, self.settings.friction, self.settings.surroundings_speed)
        self._bodies, self._hypotheses, self._candidates = candidates_of(mechanism, self.settings,
                                                                         len(modes))
        self._models, self._works = mechanism.model, mechanism.workspace()
        g, windows = mechanism.g, MOST_WINDOWS
        self._frames = FRAME.new((windows + 1) * len(mechanism.bodies), independent=g)
        self._evidence = EVIDENCE.new(
            independent=g, modes=len(modes), windows=windows, stacked=g * windows,
            unknown=OPEN + windows, coordinates=int(self._models['n_total'][0]))
        self._evidence['mode'], self._evidence['surroundings'] = modes, velocities
        self._evidence['mode_prior'] = priors
        self._evidence['mode_spread'] = mode_spread(self.settings.friction)
        self._evidence['stuck_spread'] = stuck_spread(self.settings.friction)
        for name in ('correlation_time', 'lag', 'window', 'windows', 'model_uncertainty',
                     'surroundings_speed', 'imbalance', 'settling', 'unforeseen'):
            self._evidence[name] = getattr(self.settings, name)
        self._take = bound(take, (self._evidence, mechanism.g), int64, float64[::1], float64[::1],
                           float64[::1], float64[:, ::1], float64[::1])
        self._judge = bound(judge, (self._models, self._works, self._evidence, self._frames,
                                    self._candidates, self._hypotheses))
        self.reset()

    def with_settings(self, settings: IsolationSettings) -> 'Isolation':
        """Return an isolation with other settings that continues from here."""
        other = Isolation(self._mechanism, settings)
        restore(other._state, copied(self._state))
        return other

    @property
    def _state(self) -> dict[str, Any]:
        """The state to continue from, by name: the contact so far, and the position."""
        return {'q': self._works['q'],
                'contact': {name: self._evidence[name] for name in _CONTACT}}

    def reset(self) -> None:
        """Forget all forces: the next one is the first of a contact."""
        self._evidence['count'] = 0
        n, size = self._mechanism.n, int(self._models['n_total'][0])
        self._works[0]['q'][:n] = self._mechanism.q0
        self._works[0]['q'][n:size] = self._models['fixed'][0, n:size]

    def update(self, stamp: int, zd: FloatArray, force: FloatArray, covariance: FloatArray,
               approach: FloatArray | None = None, q: FloatArray | None = None) -> None:
        """Take in the force from outside (g) [N or N m] of an instant, its covariance (g, g).

        stamp: in ns, after the last one; zd (g): how the surfaces slide; approach (g): zd before
        this instant, default zd; the first one determines what the bodies may have run into; q (n):
        the position, default: the one at which hypotheses are asked for.
        Raises ValueError for arrays of another shape.
        """
        g = self._mechanism.g
        zd, force, covariance, approach = (_array(array, _REAL) for array in (
            zd, force, covariance, zd if approach is None else approach))
        if not zd.shape == force.shape == approach.shape == (g,) or covariance.shape != (g, g):
            raise ValueError(f'a force: zd {zd.shape}, approach {approach.shape} and force '
                             f'{force.shape} must be ({g},), the covariance {covariance.shape} '
                             f'({g}, {g})')
        position = _array([] if q is None else q, _REAL)
        if position.shape not in ((0,), (self._mechanism.n,)):
            raise ValueError(f'a force: q {position.shape} must be ({self._mechanism.n},)')
        self._take(stamp, approach, zd, force, covariance, position)

    def hypotheses(self, z: FloatArray, near: FloatArray | None = None) -> list[Hypothesis]:
        """Return hypotheses at z (g), most probable first; none before the first force.

        near (n): a position near by, else the last one, or the file's after reset; it says how
        bodies are turned from which orientations in z count.  Raises MechanismError where there is
        no position or a singular one.
        """
        if self._evidence['count'][0] == 0:
            return []
        work, mechanism = self._works[0], self._mechanism
        work['z'][:mechanism.g] = z
        if near is not None:
            work['q'][:mechanism.n] = near
            find_references(self._models, self._works)
        if not self._judge():
            raise MechanismError(f'{mechanism.name}: no position, or a singular one, at {z}')
        records = self._hypotheses[self._hypotheses['probability'] >= _LEAST]
        order = np.argsort(-records['probability'], kind='stable')
        return [_hypothesis(self._bodies[records[k]['number']], records[k], mechanism.dimension)
                for k in order]


def _hypothesis(bodies: tuple[str, ...], record: Any, d: int) -> Hypothesis:
    """Return a Hypothesis out of its record, which nothing else refers to; d: dimension."""
    point, force = record['point'][:, :d], record['force'][:, :d]
    point_covariance, force_covariance = (
        record[name][:, :d, :d] for name in ('point_covariance', 'force_covariance'))
    return Hypothesis(bodies, float(record['probability']), tuple(
        Touch(body, point[k], force[k], point_covariance[k], force_covariance[k])
        for k, body in enumerate(bodies)))


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

    def _use(self, isolation: Isolation) -> None:
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

    def _remember(self, stamp: int, zd: FloatArray) -> None:
        """Keep motions back to `before`, the oldest first; older stamps begin anew."""
        if self._motion and stamp < self._motion[0][0]:
            self._motion.clear()
        self._motion.append((stamp, zd))
        while stamp - self._motion[0][0] > self._before:
            self._motion.popleft()
