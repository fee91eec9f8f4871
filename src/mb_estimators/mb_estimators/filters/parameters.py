"""The parameters of the model that a filter estimates: which, how uncertain, and their records."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filter.layout import Block
from mb_estimators.kernels.parameters import restart_parameters
from mb_model import Mechanism, Settings, setting
from mb_model.arrays import FloatArray, RecordArray
from mb_model.jit import RecordType
from mb_model.kernel_api import Effect
from mb_model.kind_api import element_kind
from mb_model.record import PARAMETER

KNOWN_FORCES = 'known_forces.'      # begins names of gains and offsets
_SIZES = (Effect.BODY_MASS, Effect.BODY_INERTIA, Effect.BODY_LENGTH)
STILL = 1e-12             # growth per second of what does not walk, of its variance at the start
MOVING = {Effect.FIXED_POINT, Effect.BODY_LENGTH, Effect.CONSTRAINT, Effect.TERM}


@dataclass(frozen=True)
class ParameterSettings(Settings):
    """Which parameters of the model are estimated, and how uncertain they are."""

    parameters: tuple[str, ...] = setting(
        ('gravity.y',),
        help='Numbers of the mechanism file that are estimated: paths such as bodies.crank.mass, '
             'or names of its parameters')
    parameter_deviations: tuple[float, ...] = setting(
        (0.1,), above=0.0, one_for_all=True,
        help='Initial standard deviation of each of them, or one for all: a share of its value; '
             'of what is 0, in its unit')
    parameter_walks: tuple[float, ...] = setting(
        (1e-4,), unit='1/sqrt(s)', at_least=0.0, one_for_all=True,
        help='How much each of them may drift, or one for all: the standard deviation that a '
             'second adds, a share of its value as above')


class Parameters:
    """The estimated parameters of a mechanism, as kernels take them.

    names; records: PARAMETER (p); estimated: one record, AUGMENTED or DUAL; deviations:
    initial ones of s (p).
    """

    def __init__(self, mechanism: Mechanism, settings: Any, record_type: RecordType,
                 sizes: dict[str, int], known_forces: bool = False, optional: bool = False):
        """Read what is wanted from ParameterSettings; sizes: of the record.

        known_forces: whether 'known_forces.<degree of freedom>.gain' and '.offset' are parameters,
        too; optional: whether there may be none.  Raises FilterError, MechanismError.
        """
        self.names = settings.parameters
        count = len(self.names)
        if not (count or optional):
            raise FilterError('parameters: missing, expected some such as gravity.y')
        if len(set(self.names)) < count:
            raise FilterError(f'parameters: {", ".join(self.names)}: must be different ones')
        forces = {name: _known_force(mechanism, name) for name in self.names
                  if known_forces and name.startswith(KNOWN_FORCES)}
        self.records = _records(mechanism, self.names, forces)
        self.deviations = _one_each('parameter_deviations', settings.parameter_deviations, count)
        self.estimated = record_type.of(sizes | {'parameters': count})
        e, start = self.estimated[0], self.records['value']
        e['count'] = count
        e['start'][:count] = start
        e['unit'][:count] = np.where(start == 0.0, 1.0, np.abs(start))
        e['positive'][:count] = [stays_positive(mechanism.model[0], r) for r in self.records]
        if 'force_of' in e.dtype.names:
            e['force_of'][:count] = [forces[name][0] if name in forces else -1
                                     for name in self.names]
        self._gains = np.array([forces.get(name, (-1, 0.0))[1] for name in self.names])
        e['walk'][:count] = np.square(
            _one_each('parameter_walks', settings.parameter_walks, count))

    @property
    def block(self):
        """The block of the numbers s, which have no unit."""
        return Block('parameter', self.names, ('',) * len(self.names), self.deviations ** 2)

    def acting(self, known: FloatArray):
        """Return what acts of known forces (g), by their gains and offsets; note derivatives."""
        e, count = self.estimated[0], len(self.names)
        of, values, acting = e['force_of'][:count], self.records['value'], known.copy()
        for c in np.flatnonzero(of >= 0):
            e['by_parameter'][c] = known[of[c]] if self._gains[c] else 1.0
            acting[of[c]] += (values[c] - self._gains[c]) * e['by_parameter'][c]
        return acting

    def restart(self, models: RecordArray, works: RecordArray):
        """Give the model the values of the mechanism file."""
        restart_parameters(models, works, self.records, self.estimated)

    def values(self):
        """Return the present values by name."""
        return dict(zip(self.names, self.records['value'].tolist(), strict=True))

    def values_of(self, s: FloatArray):
        """Return the values that numbers s (p) mean."""
        e, count = self.estimated[0], len(self.names)
        start = e['start'][:count]
        return np.where(e['positive'][:count] == 1, start * np.exp(s),
                        start + e['unit'][:count] * s)

    def number_of(self, name: str, value: float):
        """Return the number s of one parameter at a value; -inf for what is not > 0 but has to be.
        """
        e, k = self.estimated[0], self.names.index(name)
        start = e['start'][k]
        if not e['positive'][k]:
            return (value - start) / e['unit'][k]
        return np.log(value / start) if value > 0.0 else -np.inf

    def rates_at(self, values):
        """Return dp/ds (p) at values of the parameters (p)."""
        e, count = self.estimated[0], len(self.names)
        return np.where(e['positive'][:count] == 1, values, e['unit'][:count])

    def rates(self):
        """Return dp/ds (p) of the present."""
        return self.rates_at(self.records['value'])

    @property
    def walks(self):
        """Growth of the variances of s per time (p), more than 0: a graph needs some."""
        return np.maximum(self.estimated[0]['walk'][:len(self.names)],
                          STILL * self.deviations ** 2)

    def estimate(self, covariance: FloatArray, s: FloatArray | None = None):
        """Return what Estimate says of the parameters, of numbers s (p), else of the present.

        covariance: of s (p, p).
        """
        values = self.records['value'] if s is None else self.values_of(s)
        rates = self.rates_at(values)
        return {'parameters': dict(zip(self.names, values.tolist(), strict=True)),
                'parameter_covariance': covariance * np.outer(rates, rates)}

    def require_constant_positions(self, mechanism: Mechanism):
        """Raise FilterError for a parameter that moves the mechanism at constant z."""
        for name, record in zip(self.names, self.records, strict=True):
            if {*record['kind'][:record['effects']]} & MOVING:
                raise FilterError(f'{mechanism.name}: parameters: {name}: changes positions, '
                                  'expected a mass, an inertia, gravity or a force')


class EstimatesParameters:
    """Of a ModelFilter with Parameters: if there are any, it has a model of its own for them."""

    _parameters: Parameters

    def _prepare(self: Any) -> None:
        super()._prepare()  # type: ignore[misc]
        if self._parameters.names:
            self._models = self._models.copy()      # the mechanism's own one stays as it is
            self._own_records |= {'model': self._models, 'parameters': self._parameters.records,
                                  'estimated': self._parameters.estimated}


def _known_force(mechanism: Mechanism, name: str):
    """Return (degree of freedom, value at first) of a gain or an offset; raises FilterError."""
    coordinate, _, what = name.removeprefix(KNOWN_FORCES).rpartition('.')
    if coordinate not in mechanism.independent or what not in ('gain', 'offset'):
        raise FilterError(f'parameters: {name}: expected {KNOWN_FORCES}<coordinate>.gain or '
                          f'.offset with one of {", ".join(mechanism.independent)}')
    return mechanism.independent.index(coordinate), 1.0 if what == 'gain' else 0.0


def _records(mechanism: Mechanism, names: Sequence[str], forces):
    """Return PARAMETER records (p) of all names; gains and offsets of forces have no effects."""
    of_model = mechanism.parameter_records([name for name in names if name not in forces])
    records = PARAMETER.new(len(names), effects=of_model['kind'].shape[1])
    for k, (_, start) in enumerate(forces.get(name, (0, 0.0)) for name in names):
        records['value'][k] = start
    records[[name not in forces for name in names]] = of_model
    return records


def _one_each(name: str, values, count: int):
    """Return an array (count) of one value each, or one for all."""
    if count and len(values) not in (1, count):
        raise FilterError(f'{name}: {len(values)} values, expected 1 or one for each of the '
                          f'{count} parameters')
    return np.array(values) if len(values) == count else np.full(count, values[0])


def stays_positive(model, record):
    """Return whether a parameter is > 0 and in a mass, a size, a stiffness, damping or friction."""
    effects = range(record['effects'])
    return record['value'] > 0.0 and any(
        _needs_sign(model, record['kind'][k], record['index'][k]) for k in effects)


def _needs_sign(model, kind, index):
    """Return whether a number of the model must not be negative."""
    if kind == Effect.FORCE:
        return index[1] in element_kind(model['force_kind'][index[0]]).positive
    return kind in _SIZES
