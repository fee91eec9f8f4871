"""Unknown masses of a mechanism from its estimated motion and the forces that drive it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mb_contact.arguments import ContactError, rows_of
from mb_contact.payload.centred_load import CentredLoad
from mb_contact.payload.kernels.mass_filter_record import (
    CONTRADICTED,
    DISTRUSTED,
    EVENTS,
    MASS_FILTER,
    SETTLING,
    STANDING,
    UPDATING,
    reasons,
)
from mb_contact.payload.kernels.step import step, steps
from mb_contact.payload.mass_equations import circuit_of, new_instants
from mb_contact.payload.payload_settings import PayloadSettings
from mb_estimators import copied, restore
from mb_model import Mechanism
from mb_model.arrays import BoolArray, FloatArray, IntArray, RecordArray
from mb_model.record.hydraulics import FLUID

_STREAM = MASS_FILTER.names('stream', 'estimate', 'low_pass', 'ring', 'change',
                           'agreement')

_COUNT = UPDATING, CONTRADICTED


class Payload(NamedTuple):
    """Unknown masses (k) at one instant, in the order of the estimator's `masses` [kg].

    mass: filtered, NaN until the first instant that counts; raw_mass: of this instant alone, NaN
    where it is undetermined; deviation: standard deviations of mass; updating: whether this instant
    entered mass; reason: why not, or why the
    deviation is larger than usual, in words; event: 'picked up' or 'released' if a change of a load
    was detected at this instant.  Of many instants: arrays and lists with a row of each.
    load: with its centre of gravity, where that is unknown, too.
    """

    mass: np.ndarray
    raw_mass: np.ndarray
    deviation: np.ndarray
    updating: bool | BoolArray
    reason: str | list[str]
    event: str | list[str]
    load: CentredLoad | None = None


class PayloadEstimator:
    """Estimates masses from estimates of the motion and the pressures, one after the other.

    Results depend on the sequence of stamped estimates alone.
    masses: names of parameters of the mechanism file; dt: usual time between two estimates [s], of
    which the filters' windows are counted.  holds_at_rest: whether the last estimate did not count
    only because a cylinder stands still, or has not settled.  Raises ContactError, MechanismError.
    """

    def __init__(self, mechanism: Mechanism, masses: Sequence[str],
                 settings: PayloadSettings | None = None, dt: float = 0.001) -> None:
        self.mechanism, self.masses = mechanism, tuple(masses)
        self.settings = settings or PayloadSettings()
        self.dt = dt
        self._start, self._sizes = new_instants(mechanism, self.masses)
        self._start['left_out'][0, self._left_out()] = 1
        circuit, self._circuits = mechanism.circuit, circuit_of(mechanism)
        self._cylinders = len(circuit.cylinders) if circuit else 0
        self._volumes = len(circuit.volumes) if circuit else 0
        self._modes = len(mechanism.modes)
        self._reasons = reasons(self.settings, circuit)
        self._none = np.zeros(0)
        self._no_covariance = np.zeros((0, 0))
        self.reset()

    def with_settings(self, settings: PayloadSettings) -> 'PayloadEstimator':
        """Return an estimator with other settings that goes on from here.

        With another window, or other unknown forces, it starts anew.
        """
        other = PayloadEstimator(self.mechanism, self.masses, settings, self.dt)
        now = self.settings
        if (settings.method, settings.unknown_forces) != (now.method, now.unknown_forces) or any(
                a.shape != b.shape for a, b in zip(other._window, self._window, strict=True)):
            return other
        other.holds_at_rest = self.holds_at_rest
        restore(other._state, copied(self._state))
        return other

    @property
    def _state(self) -> dict[str, Any]:
        """The state to continue from, by name: records, windows, and fields of its filter."""
        windows = {f'window{k}': window for k, window in enumerate(self._window)}
        return {'work': self._works, 'fluid': self._fluids, 'instant': self._instants, **windows,
                'filter': {name: self._filters[name] for name in _STREAM}}

    def reset(self, dt: float | None = None) -> None:
        """Forget everything: as if it had just been made; with another dt [s], if given."""
        self.dt = self.dt if dt is None else dt
        self.holds_at_rest = False
        mechanism, circuit = self.mechanism, self.mechanism.circuit
        self._models, self._works = mechanism.model.copy(), mechanism.workspace()
        self._works['q'][0, :mechanism.n] = mechanism.q0
        self._fluids = circuit.new_fluid() if circuit else FLUID.of(self._sizes)
        self._parameters = mechanism.parameter_records(self.masses)
        self._instants = self._start.copy()
        self._filters = self._new_filter()
        self._window = self._new_window()
        self._kernel_arguments = (
            self._models, self._works, self._circuits, self._fluids, self._instants, self._filters,
            self._parameters, *self._window)
        masses = len(self.masses)
        self._mass = self._filters['mass'][0, :masses]
        self._deviation = self._filters['deviation'][0, :masses]
        self._raw = self._instants['raw'][0, :masses]

    def _left_out(self) -> list[int]:
        """Return the indices in z of degrees of freedom on which unknown forces act."""
        names, known = self.settings.unknown_forces, self.mechanism.independent
        for name in names:
            if name not in known:
                raise ContactError(f'unknown_forces: {name}: expected some of {", ".join(known)}')
        if known and len(known) - len(set(names)) < len(self.masses):
            raise ContactError(f'unknown_forces: {len(set(names))} of the {len(known)} degrees of '
                               f'freedom leave too few for {len(self.masses)} masses')
        return [known.index(name) for name in names]

    def _new_filter(self) -> RecordArray:
        filters, settings = MASS_FILTER.of(self._sizes), self.settings
        for name in ('time_constant', 'settling_time', 'correlation_time', 'longest_gap',
                     'largest_deviation', 'least_change', 'alarm'):
            filters[name] = getattr(settings, name)
        filters['dt'] = self.dt
        filters['factor_deviation'][0, :self._cylinders] = settings.friction_uncertainty
        own = self._cylinders + self._modes
        filters['factor_deviation'][0, self._cylinders:own] = settings.stiffness_uncertainty
        filters['factor_deviation'][0, own] = settings.model_uncertainty
        filters['mass'] = np.nan
        filters['deviation'] = np.inf
        if settings.method == 'low_pass':      # a triangle of 2 length - 1 instants
            filters['length'] = max(1, round(0.5 * (settings.averaging_time / self.dt + 1.0)))
        else:
            filters['length'] = max(1, round(settings.window / self.dt))
        return filters

    def _new_window(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return rings, sums and normal matrix, see kernels.low_pass and kernels.window."""
        masses, length = len(self.masses), int(self._filters['length'][0])
        if self.settings.method == 'low_pass':
            width = masses * (3 + self._cylinders + self._modes)
            return np.zeros((2, length, width)), np.zeros((5, width)), np.zeros((0, 0))
        unknowns = masses + (self._cylinders if self.settings.friction_uncertainty > 0.0 else 0)
        sides = 2 + self._modes
        width = unknowns * (unknowns + 1) // 2 + sides * unknowns
        return (np.zeros((1, length, width)), np.zeros((3, width)),
                np.zeros((unknowns + sides + 1, unknowns)))

    def update(self, stamp: int, z: FloatArray, zd: FloatArray, zdd: FloatArray,
               p: FloatArray | None = None, covariance: FloatArray | None = None,
               q: FloatArray | None = None, forces: FloatArray | None = None,
               distrust: str = '') -> Payload:
        """Add an estimate and return the Payload.

        stamp [ns]; z, zd, zdd (g); p (v) [Pa], for mechanisms with hydraulics; covariance: of the
        stacked z, zd, zdd, p, U or the first of them; q (n): all coordinates, which saves solving
        for them; forces: further known ones on z (g); distrust: why the estimate is not to be
        used, in words.
        """
        none = self._none
        status, standing, event = step(
            *self._kernel_arguments, stamp, none if q is None else q, z, zd, zdd,
            none if p is None else p, self._no_covariance if covariance is None else covariance,
            none if forces is None else forces, not distrust)
        self.holds_at_rest = status in (STANDING, SETTLING)
        reason = distrust if status == DISTRUSTED else self._reasons[status, standing]
        return Payload(self._mass.copy(), self._raw.copy(), self._deviation.copy(),
                       status in _COUNT, reason, EVENTS[event])

    def run(self, stamps: IntArray, z: FloatArray, zd: FloatArray, zdd: FloatArray,
            p: FloatArray | None = None, covariance: FloatArray | None = None,
            q: FloatArray | None = None, forces: FloatArray | None = None,
            trusted: BoolArray | None = None) -> Payload:
        """Add estimates, one a row, at once; return the Payload of arrays over the rows.

        As update, with one more dimension in front; trusted: booleans.  Raises ValueError for
        arrays of other sizes.
        """
        rows = len(stamps)
        none = np.zeros((rows, 0))
        trusted = np.ones(rows, np.bool_) if trusted is None else np.ascontiguousarray(
            trusted, np.bool_)
        if trusted.shape != (rows,):
            raise ValueError(f'trusted: shape {trusted.shape} must be {(rows,)}')
        masses, raw_masses, deviations = np.empty((3, rows, len(self.masses)))
        outcomes = np.empty((rows, 3), np.int64)
        covariance = np.zeros((rows, 0, 0)) if covariance is None else covariance
        steps(*self._kernel_arguments, np.ascontiguousarray(stamps, np.int64),
              rows_of(rows, 'q', none if q is None else q), rows_of(rows, 'z', z),
              rows_of(rows, 'zd', zd), rows_of(rows, 'zdd', zdd),
              rows_of(rows, 'p', none if p is None else p),
              rows_of(rows, 'covariance', covariance, 3),
              rows_of(rows, 'forces', none if forces is None else forces), trusted,
              masses, raw_masses, deviations, outcomes)
        words = [self._words(status, standing) for status, standing, _ in outcomes.tolist()]
        return Payload(masses, raw_masses, deviations, np.isin(outcomes[:, 0], _COUNT), words,
                       [EVENTS[event] for event in outcomes[:, 2].tolist()])

    def _words(self, status: int, standing: int) -> str:
        return 'not trusted' if status == DISTRUSTED else self._reasons[status, standing]
