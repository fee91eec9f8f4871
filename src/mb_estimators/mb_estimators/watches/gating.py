"""Readings judged by how far they are from their prediction, before they correct a filter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, sqrt
from typing import Any, NamedTuple

import numpy as np

from mb_estimators.consistency.normalized import chi_square_bound
from mb_estimators.filter import (
    Assessing,
    AwareOfNoise,
    DivergenceError,
    FilterError,
    Gating,
    ImpossibleReadingError,
    Innovation,
    Rewindable,
    Widening,
    put_back,
)
from mb_estimators.filter.sensor_channels import SensorChannels
from mb_estimators.state import copied, state_class
from mb_estimators.watches.trust import longest_silence
from mb_model import Settings, setting
from mb_model.arrays import FloatArray
from mb_sensors import Sensor

ENOUGH_IN_A_ROW = 10      # readings of every sensor after which the estimate counts as wrong
_ROUNDING = 1e-9          # relative, of what is just credible
_WIDE = ('inflate', 'huber')       # treatments that take a reading, with more noise
_TREATMENTS = ('reject', *_WIDE)


class Doubt(NamedTuple):
    """A residual (k) that is not credible by its covariance (k, k): r' S^-1 r > bound."""

    residual: FloatArray
    covariance: FloatArray
    bound: float


# Of sensors that are not credible, by name; None where the filter has failed
Doubts = dict[str, Doubt | None]


@dataclass(frozen=True)
class GateSettings(Settings):
    """The gate of a sensor: its level, and the treatment of incredible readings."""

    gate: str = setting(
        'off', choices=('off', *_TREATMENTS),
        help='Treatment of a reading too far from its prediction by its Mahalanobis distance: '
             'it is taken as it is (off), left out (reject), taken with as much more noise as '
             'makes it just credible (inflate), or with the variance of its noise times its '
             'distance over the largest credible one (huber)')
    gate_probability: float = setting(
        0.9999, above=0.0, at_most=1.0 - 1e-12,
        help='Share of good readings that are credible to a consistent filter')


@state_class
class GateState:
    """Of each sensor with a gate the incredible readings in a row, and the stamp of the last one.
    """

    row: dict[str, int] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)


class GatedFilter:
    """Corrects a filter by the readings that gates let in.

    A reading r with the innovation covariance S is credible if r' S^-1 r stays below the bound of
    its chi-square distribution; S is of its sensor alone, so that no sensor is blamed for another.
    As long as any sensor agrees with the estimate, the others are wrong; once none has agreed for
    ten readings in a row, the estimate is.
    Source: Bar-Shalom et al. 2001, Sec. 5.4.
    """

    def __init__(self, estimator: Any, sensors: Sequence[Sensor],
                 gates: Mapping[str, GateSettings], restart: bool) -> None:
        """Set up for a Filter and its Sensors.

        gates: GateSettings of sensors by name; restart: whether an estimate that no reading fits
        raises DivergenceError, otherwise all gates open for once.  Raises FilterError for a filter
        that cannot be gated so.
        """
        channels = SensorChannels(sensors)
        self._filter, self._slices, self._restart = estimator, channels.slices, restart
        require_means(estimator, gates)
        self._gates = {name: gate for name, gate in gates.items() if gate.gate != 'off'}
        self._bounds = [(sensor.name, channels.slices[sensor.name], chi_square_bound(
            len(sensor.channels), 1.0 - self._gates[sensor.name].gate_probability))
            for sensor in sensors if sensor.name in self._gates]
        self._longest = {s.name: longest_silence(s.settings.rate) for s in sensors}
        self._channels = channels.count
        self._variances = np.repeat([sensor.settings.variance for sensor in sensors],
                                    [len(sensor.channels) for sensor in sensors])
        self._aware = isinstance(estimator, AwareOfNoise)
        if isinstance(estimator, Gating):
            estimator.use_gate(not self._gates)
        self._assesses = isinstance(estimator, Assessing)

    def of_gates(self, state: GateState) -> GateState:
        """Return the part of a GateState on sensors with a gate now."""
        return GateState(*({name: value for name, value in noted.items() if name in self._gates}
                           for noted in (state.row, state.seen)))

    def correct(self, state: GateState, stamp: int,
                readings: FloatArray) -> tuple[Innovation, dict[str, str]]:
        """Correct by the readings of a stamp [ns] (channels, NaN where there is none).

        Returns the Innovation, with the channels that were left out as rejected, and in words what
        was done with incredible readings of sensors that were not, by name.  Raises what
        Filter.correct does.
        """
        if not self._gates:
            return self._filter.correct(readings), {}
        if self._assesses:
            memory, innovation = None, self._filter.assess(readings)
            doubts = self._doubts(innovation)
        else:
            memory = copied(self._filter.state)
            innovation, doubts = self._tried(memory, readings)
        if self._is_lost(state, stamp, readings, doubts):
            if self._restart:
                raise DivergenceError('no sensor has agreed with the estimate for a while')
            return self._put_right(memory, innovation, readings, {})[0], dict.fromkeys(
                doubts, 'believed, as no sensor has agreed with the estimate for a while')
        return self._put_right(memory, innovation, readings, doubts)

    def _put_right(self, memory: Any, innovation: Innovation | None, readings: FloatArray,
                   doubts: Doubts) -> tuple[Innovation, dict[str, str]]:
        """Correct again if that is not done yet, or if readings are in doubt."""
        if memory is not None:
            if not doubts and innovation is not None:
                return innovation, {}
            put_back(self._filter, memory)
        return self._corrected(readings, doubts)

    def _tried(self, memory: Any, readings: FloatArray) -> tuple[Innovation | None, Doubts]:
        """Correct by all readings; return the Innovation, None if that failed, and the doubts.

        Readings that are impossible together are judged one sensor at a time.
        """
        try:
            innovation = self._filter.correct(readings)
            return innovation, self._doubts(innovation)
        except ImpossibleReadingError:
            doubts: Doubts = {}
        for name in self._gates:
            alone = np.full(len(readings), np.nan)
            alone[self._slices[name]] = readings[self._slices[name]]
            put_back(self._filter, memory)
            try:
                doubts |= self._doubts(self._filter.correct(alone))
            except ImpossibleReadingError:
                doubts[name] = None
        return None, doubts

    def _doubts(self, innovation: Innovation) -> Doubts:
        """Return the Doubts of sensors that are not credible."""
        doubts: Doubts = {}
        channels, residual, covariance, *_ = innovation
        whole = len(channels) == self._channels
        squares = (residual * residual / covariance.diagonal()).tolist()
        for name, own_slice, bound in self._bounds:
            rows: Any = own_slice if whole else np.flatnonzero(
                (channels >= own_slice.start) & (channels < own_slice.stop))
            if own_slice.stop - own_slice.start == 1:
                row = own_slice.start if whole else rows[0] if len(rows) else None
                if row is None or squares[row] <= bound:
                    continue
                rows = slice(row, row + 1)
            own = residual[rows], covariance[rows][:, rows]
            if len(own[0]) and own[0] @ np.linalg.solve(own[1], own[0]) > bound:
                doubts[name] = Doubt(*own, bound)
        return doubts

    def _is_lost(self, state: GateState, stamp: int, readings: FloatArray,
                 doubts: Doubts) -> bool:
        """Note which sensors agree; return whether none with a gate has done so lately.

        Silent sensors do not count.
        """
        for name in self._gates:
            if isfinite(readings[self._slices[name].start]):
                state.seen[name] = stamp
                state.row[name] = state.row.get(name, 0) + 1 if name in doubts else 0
        return bool(doubts) and all(
            state.row[name] >= ENOUGH_IN_A_ROW for name, when in state.seen.items()
            if stamp - when <= self._longest[name])

    def _corrected(self, readings: FloatArray,
                   doubts: Doubts) -> tuple[Innovation, dict[str, str]]:
        """Correct without the readings of doubt, or with more noise in them; see `correct`."""
        readings, added = readings.copy(), np.zeros(len(readings))
        rejected: list[int] = []
        inflated: dict[str, str] = {}
        for name, doubt in doubts.items():
            own = self._slices[name]
            if doubt is not None and self._gates[name].gate in _WIDE:
                added[own] = self._more_noise(name, doubt)
                inflated[name] = 'taken with more noise'
            else:
                rejected += range(own.start, own.stop)
                readings[own] = np.nan
        innovation = (self._filter.correct_widened(readings, added) if inflated
                      else self._filter.correct(readings))
        if rejected:
            innovation = innovation._replace(rejected=np.array(rejected))
        return innovation, inflated

    def _more_noise(self, name: str, doubt: Doubt) -> FloatArray:
        """Return the variances to add to a sensor's channels, by its treatment.

        The filter is where it was before its correction, and so is the noise that it knows.
        """
        if self._gates[name].gate == 'inflate':
            return widening(*doubt)
        variances = self._filter.sensor_variance if self._aware else self._variances
        return (huber_factor(*doubt) - 1.0) * variances[self._slices[name]]


def left_out_by_chance(gates: Mapping[str, GateSettings]) -> dict[str, float]:
    """Return the share of right readings that GateSettings leave out, by sensor."""
    return {name: 1.0 - gate.gate_probability for name, gate in gates.items()
            if gate.gate == 'reject'}


def widening(residual: FloatArray, covariance: FloatArray, bound: float) -> FloatArray:
    """Return the variances (k) to add to a residual's r (k) to make it just credible.

    They are l S_aa with r' (S + l diag S)^-1 r = bound, for a covariance S (k, k).
    """
    variances = np.diagonal(covariance)
    deviations = np.sqrt(variances)
    spread, directions = np.linalg.eigh(covariance / np.outer(deviations, deviations))
    squares = (directions.T @ (residual / deviations)) ** 2
    low, high = 0.0, squares.sum() / bound              # between them the distance falls
    while high - low > _ROUNDING * high:
        middle = 0.5 * (low + high)
        if (squares / (spread + middle)).sum() > bound:
            low = middle
        else:
            high = middle
    return high * variances


def huber_factor(residual: FloatArray, covariance: FloatArray, bound: float) -> float:
    """Return by what the noise of an incredible residual r (k) counts more: d / k > 1.

    d^2 = r' S^-1 r for its covariance S (k, k), k^2 = bound; of one channel |r| / (k sigma), the
    inverse of Huber's weight.
    """
    return sqrt(residual @ np.linalg.solve(covariance, residual) / bound)


def require_means(estimator: Any, gates: Mapping[str, GateSettings]) -> None:
    """Raise FilterError unless a filter supports the GateSettings of sensors."""
    name, doubted = type(estimator).__name__, [s for s in gates if gates[s].gate != 'off']
    if doubted and not isinstance(estimator, (Rewindable, Assessing)):
        raise FilterError(f'{doubted[0]}.gate: must be off, {name} cannot take back a correction')
    wide = [sensor for sensor in doubted if gates[sensor].gate in _WIDE]
    if wide and not isinstance(estimator, Widening):
        raise FilterError(f'{wide[0]}.gate: must not be {gates[wide[0]].gate}, {name} cannot widen '
                          'the noise of a reading')
