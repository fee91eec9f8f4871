"""Whether something touches a mechanism, judged state by state."""

from collections.abc import Sequence
from typing import Any

from numba import float64, int64
import numpy as np

from mb_contact.arguments import ContactError, rows_of
from mb_contact.detection.contact import METHODS, Contact, ContactTrack, DetectionSettings, Force
from mb_contact.detection.kernels.cycle import cycle, cycles
from mb_contact.detection.kernels.detector_record import DETECTOR, METHOD_COUNT, reasons
from mb_contact.detection.kernels.uncertainty import body_inertias
from mb_contact.external_force import DrivenMechanism
from mb_contact.kernels.external_force import OBSERVER
from mb_estimators import copied, restore
from mb_model import Mechanism
from mb_model.arrays import FloatArray, IntArray, RecordArray
from mb_model.jit import sizes_of
from mb_model.kernel_api import bound

_VECTOR = float64[::1]
_REAL, _array = np.dtype(np.float64), np.ascontiguousarray       # as kernels take numbers
_NONE, _NO_COVARIANCE = np.zeros(0), np.zeros((0, 0))
_STREAM = DETECTOR.names('stream', 'rest', 'uncertainty', 'results')


class ContactDetector:
    """Compares forces from outside with thresholds, by the direct method, an observer, or both.

    Results depend on the sequence of stamped states alone.  Methods run in one compiled
    cycle and share its motion of the mechanism.

    records: of the model, its workspace, drives, observer and detector, on which the cycle works.
    """

    Settings = DetectionSettings

    def __init__(self, mechanism: Mechanism, drives: Sequence[str] | None = None,
                 settings: DetectionSettings | None = None) -> None:
        """Set up; drives: see DrivenMechanism.  Raises ContactError."""
        self.mechanism = mechanism
        self.settings = settings or DetectionSettings()
        self._driven = DrivenMechanism(mechanism, drives, follows=True)
        self.drives = self._driven.drives
        if not self.drives:
            raise ContactError(f'{mechanism.file}: drives: missing; expected the coordinates on '
                               'which they act')
        runs = [self.settings.method in (name, 'both') for name in METHODS]
        self.methods = tuple(name for name, run in zip(METHODS, runs, strict=True) if run)
        self._threshold = np.ones((METHOD_COUNT, mechanism.g))
        for row, name in enumerate(('direct_threshold', 'momentum_threshold')):
            if runs[row]:
                self._threshold[row] = self._of_each(name)
        self._running = [row for row, run in enumerate(runs) if run]
        self._reasons = reasons(self.settings, bool(self._driven.records['turns'][0]))
        self.reset()

    def _of_each(self, name: str) -> tuple[float, ...]:
        """Return a threshold of each degree of freedom (g)."""
        values, g = getattr(self.settings, name), self.mechanism.g
        if len(values) not in (1, g):
            raise ContactError(f'{name}: {list(values)} must be a list of one number, or of '
                               f'{g}: one for each of {", ".join(self.mechanism.independent)}')
        return values

    @property
    def _state(self) -> dict[str, Any]:
        """The state to continue from, by name: fields of its records that are no settings."""
        _, works, _, observers, detectors = self.records
        return {'work': works,
                'observer': {name: observers[name]
                             for name in OBSERVER.names('stream')},
                'detector': {name: detectors[name] for name in _STREAM}}

    def with_settings(self, settings: DetectionSettings) -> 'ContactDetector':
        """Return a detector with other settings that continues from here; raises ContactError."""
        other = ContactDetector(self.mechanism, self.drives, settings)
        restore(other._state, copied(self._state))
        return other

    def reset(self) -> None:
        """Forget everything: as if it had just been made."""
        self._driven.settle(self.mechanism.z0)
        self._detectors = self._new_detector()
        self.records = (self._driven.models, self._driven.works, self._driven.records,
                        self._driven.observers(self.settings.gain), self._detectors)
        self._cycle = bound(cycle, self.records, int64, *4 * [_VECTOR], float64[:, ::1],
                            _VECTOR, _VECTOR)
        detector, g = self._detectors[0], self.mechanism.g
        self._results = [self._detectors[name] for name in ('detected', 'since', 'first')]
        self._by_method = detector['estimated'], detector['exceeds']
        needed = 3 * g, 2 * g           # states to know a covariance
        self._methods = [(row, METHODS[row], needed[row], detector['force'][row, :g],
                          detector['covariance'][row, :g, :g], self._threshold[row])
                         for row in self._running]

    def _new_detector(self) -> RecordArray:
        g, settings = self.mechanism.g, self.settings
        detectors = DETECTOR.of(sizes_of(self.mechanism.model))
        detectors['runs'][0] = [name in self.methods for name in METHODS]
        detectors['threshold'][0, :, :g] = self._threshold
        detectors['largest_deviation'] = settings.largest_deviation
        detectors['release'] = settings.release
        detectors['holding_time'] = round(1e9 * settings.holding_time)
        detectors['longest_gap'] = round(1e9 * settings.longest_gap)
        detectors['settling_time'] = round(1e9 * settings.settling_time)
        detectors['rest_velocity'] = settings.rest_velocity
        detectors['rest_time'] = round(1e9 * settings.rest_time)
        detectors['kept_share'] = settings.kept_share
        detectors['body_deviation'] = settings.body_uncertainty
        detectors['force_deviation'] = settings.force_uncertainty
        detectors['torque_deviation'] = settings.torque_deviation
        body_inertias(self._driven.models, detectors['inertia'][0])
        return detectors

    def update(self, stamp: int, z: FloatArray, zd: FloatArray, zdd: FloatArray,
               covariance: FloatArray | None, torques: FloatArray,
               q: FloatArray | None = None, now: FloatArray | None = None) -> Contact:
        """Add a state and return the Contact.

        stamp [ns]; z, zd, zdd (g): estimated; covariance: of all of these (3g, 3g), of the first of
        them, or None; torques (d) [N or N m]: of the drives, their mean since the stamp before;
        now (d): at the stamp, as the direct method needs them, None: the mean;
        q (n): all coordinates, which saves solving for them.  Orientations in z count from where
        the bodies are, as in estimates: z is 0, and q is needed.  For an unusable state the
        reason says why.  An older stamp, up to longest_gap before the newest, counts as a better
        estimate of that instant, which the direct method judges; the observer takes each stamp
        once.  Raises ValueError for arrays that are no vectors or matrices.
        """
        P = _NO_COVARIANCE if covariance is None else _array(covariance, _REAL)
        q = _NONE if q is None else _array(q, _REAL)
        z, zd, zdd, torques = (
            _array(z, _REAL), _array(zd, _REAL), _array(zdd, _REAL), _array(torques, _REAL))
        now = torques if now is None else _array(now, _REAL)
        if not (P.ndim - 1 == q.ndim == z.ndim == zd.ndim == zdd.ndim == torques.ndim == now.ndim
                == 1):
            raise ValueError('a state: z, zd, zdd, q and torques must be rows of numbers, the '
                             'covariance a matrix')
        status = self._cycle(stamp, q, z, zd, zdd, P, torques, now)
        detected, since, first = (one[0].item() for one in self._results)
        return Contact(detected != 0, since, METHODS[first] if detected else '',
                       self._forces(len(P)), self._reasons[status])

    def _forces(self, states: int) -> tuple[Force, ...]:
        """Return the Force of each method that gave one; states: size of the covariance."""
        forces: tuple[Force, ...] = ()
        estimated, exceeds = (one.tolist() for one in self._by_method)
        for row, name, needed, force, covariance, threshold in self._methods:
            if estimated[row]:
                forces += (Force(
                    name, force.copy(), covariance.copy() if states >= needed else _NO_COVARIANCE,
                    threshold, exceeds[row] != 0),)
        return forces

    def run(self, stamps: IntArray, z: FloatArray, zd: FloatArray, zdd: FloatArray,
            covariance: FloatArray | None, torques: FloatArray,
            q: FloatArray | None = None) -> ContactTrack:
        """Add states, one a row, at once; return the ContactTrack.

        As update, with one more dimension in front.  Raises ValueError for arrays of other sizes.
        """
        rows, g = len(stamps), self.mechanism.g
        outcomes = np.empty((rows, 4), np.int64)
        force = np.full((rows, METHOD_COUNT, g), np.nan)
        covariances = np.full((rows, METHOD_COUNT, g, g), np.nan)
        q = np.zeros((rows, 0)) if q is None else q
        covariance = np.zeros((rows, 0, 0)) if covariance is None else covariance
        cycles(*self.records, _array(stamps, np.int64), rows_of(rows, 'q', q),
               rows_of(rows, 'z', z), rows_of(rows, 'zd', zd), rows_of(rows, 'zdd', zdd),
               rows_of(rows, 'covariance', covariance, 3), rows_of(rows, 'torques', torques),
               outcomes, force, covariances)
        detected = outcomes[:, 1] != 0
        return ContactTrack(
            stamps, detected, outcomes[:, 2],
            [METHODS[first] if touched else '' for first, touched in
             zip(outcomes[:, 3].tolist(), detected.tolist(), strict=True)],
            {METHODS[row]: force[:, row] for row in self._running},
            {METHODS[row]: covariances[:, row] for row in self._running},
            [self._reasons[status] for status in outcomes[:, 0].tolist()])
