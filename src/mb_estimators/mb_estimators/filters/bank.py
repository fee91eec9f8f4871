"""Filters side by side, one for each hypothesis on the machine, weighed by their innovations."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.factor_graph.smoother_state import assess_readings
from mb_estimators.filter import DivergenceError, ImpossibleReadingError, Innovation
from mb_estimators.filter.layout import Layout, motion_blocks
from mb_estimators.filters.channels import bias_block
from mb_estimators.filters.error_ekf_ej import ErrorEkfEjSettings, ExactErrors
from mb_estimators.filters.mixture import AtMean, moments
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.parameters import Parameters, ParameterSettings
from mb_estimators.filters.parts import ExactTransition
from mb_estimators.filters.start import StartNear
from mb_estimators.kernels.correction import CORRECTED, IMPOSSIBLE, SINGULAR
from mb_estimators.kernels.gate import find_credible
from mb_estimators.kernels.parameters import restart_parameters
from mb_estimators.kernels.start import accelerate_by_mean
from mb_estimators.records.parameter import AUGMENTED
from mb_estimators.state import copied, restore
from mb_model.arrays import FloatArray, RecordArray
from mb_model.jit import sizes_of
from mb_sensors.kernel_api import refer_to


class Hypothesis(AtMean, StartNear, ExactErrors, ExactTransition, ModelFilter):
    """error_ekf_ej, as a FilterBank needs it."""

    @property
    def motion(self) -> RecordArray:
        """The record (1) of the motion it is at."""
        return self._works

    @property
    def vector(self) -> FloatArray:
        """Its z, zd and biases (l)."""
        g = self._g
        return np.concatenate([self._work['z'][:g], self._work['zd'][:g],
                               self._filter['bias'][:len(self._biases)]])

    @property
    def accelerations(self) -> FloatArray:
        """Its zdd (g)."""
        return self._work['zdd'][:self._g]

    def parameters(self, names: Sequence[str]) -> Parameters:
        """Return Parameters of its model that may change.  Raises FilterError for others."""
        parameters = Parameters(self.mechanism, ParameterSettings(parameters=tuple(names)),
                                AUGMENTED, sizes_of(self._models))
        parameters.require_constant_positions(self.mechanism)
        return parameters

    def take_parameters(self, parameters: Parameters) -> None:
        """Believe in parameters of the model from now on, those at their start."""
        self._models = self._models.copy()
        restart_parameters(self._models, self._works, parameters.records, parameters.estimated)

    def judge(self, readings: FloatArray, variances: FloatArray) -> Innovation:
        """Return how readings of sensors with these variances fit, without correcting by them."""
        self._filter['sensor_variance'][:len(readings)] = variances
        referred = readings.copy()
        if self._reads_rotations:
            refer_to(self._channels, self._work['q'], referred)
        self._require_corrected(assess_readings(
            self._models, self._works, self._channels, self._filters, referred))
        return self._last_innovation()


_LEAST = 1e-300          # probability of a hypothesis whose filter works


class FilterBank(AtMean, ModelFilter):
    """Hypotheses, each with an error_ekf_ej of its own; the estimate is the mean of all.

    A plugin makes the filters, see hypotheses, and may mix them before a step.  The covariance has
    what the hypotheses differ by.  Gates judge by the mean and covariance of all.
    """

    _refutable = False       # whether hypotheses whose filters fail are left out from then on

    def _hypotheses(self) -> tuple[list[Hypothesis], Iterable[str]]:
        """Return the filters, see hypotheses, and their names, for users."""
        raise NotImplementedError

    def _layout(self) -> Layout:
        return Layout([*motion_blocks(self.mechanism, 2 * [self.settings.initial_variance]),
                       bias_block(self.sensors)])

    def _prepare(self) -> None:
        super()._prepare()
        self._reads_rotations = False       # its filters read them
        self._bank, names = self._hypotheses()
        self._names = tuple(names)
        self._chances = np.empty(len(self._bank))

    def _start_all(self, z, zd: FloatArray, covariance: FloatArray):
        """Start the filters of all hypotheses."""
        for one in self._bank:
            one.reset(z, zd, covariance)

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g), all hypotheses equally likely; see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        self._start_all(z, zd, covariance)
        self._chances[:] = 1.0 / len(self._bank)

    @property
    def state(self):
        """See ModelFilter.state; also the filters of all hypotheses, and how likely these are."""
        return super().state | {'chances': self._chances} | {
            f'{name} of {k}': part for k, one in enumerate(self._bank)
            for name, part in one.state.items()}

    @property
    def probabilities(self) -> FloatArray:
        """How likely each hypothesis is by all readings so far."""
        return self._chances.copy()

    def _further_estimates(self) -> dict[str, Any]:
        return super()._further_estimates() | {
            'hypotheses': self._names, 'hypothesis_probabilities': self.probabilities}

    def _alive(self):
        """Return the filters of hypotheses that have not failed, and how likely these are."""
        alive = np.flatnonzero(self._chances)
        return [self._bank[k] for k in alive], self._chances[alive]

    def _adopt_mean(self):
        """Put this filter at the mean of all, near the likeliest; False: it cannot be there."""
        filters, chances = self._alive()
        restore(self._works, copied(filters[int(np.argmax(chances))].motion))
        if not self.move_to(self.mixture.of(chances, filters)):
            return False
        accelerate_by_mean(self._models, self._works, chances @ np.array(
            [one.accelerations for one in filters]))
        return True

    def _step(self, dt: float) -> bool:
        inputs = self._forces_on_z.copy()
        for k in np.flatnonzero(self._chances):
            try:
                self._bank[k].predict(dt, inputs)
            except DivergenceError:
                self._refute(k)
        return self._adopt_mean()

    def act(self, inputs: ArrayLike | None) -> None:
        """See ModelFilter.act."""
        self._hold(inputs)
        filters, chances = self._alive()
        for one in filters:
            one.act(inputs)
        accelerate_by_mean(self._models, self._works, chances @ np.array(
            [one.accelerations for one in filters]))

    def _refute(self, k: int):
        """Leave out a hypothesis whose filter has failed; raise DivergenceError if it must not be.

        Needs to be called where that error is handled.
        """
        if not self._refutable or self._chances[k] == self._chances.sum():
            raise
        self._chances[k] = 0.0
        self._chances /= self._chances.sum()

    def _walk_biases(self, dt: float) -> None:
        """Predictions of all hypotheses contain that walk."""

    def _correct(self, readings: FloatArray) -> int:
        credible = self._judge(readings)
        if not np.isfinite(credible).any():
            return CORRECTED
        scores = np.full(len(self._bank), -np.inf)
        for k in np.flatnonzero(self._chances):
            try:
                fit = self._bank[k].correct(credible)
            except ImpossibleReadingError:
                continue
            except DivergenceError:
                self._refute(k)
                continue
            _, logarithm = np.linalg.slogdet(fit.covariance)
            scores[k] = -0.5 * (fit.nis + logarithm)
        if not np.isfinite(scores).any():
            return IMPOSSIBLE
        likely = self._chances * np.exp(scores - scores.max())
        self._chances[self._chances > 0.0] = np.maximum(likely, _LEAST)[self._chances > 0.0]
        self._chances /= self._chances.sum()
        return CORRECTED if self._adopt_mean() else SINGULAR

    def _judge(self, readings: FloatArray):
        """Write how readings fit the mean of all; return the readings that are credible."""
        f = self._filter
        filters, chances = self._alive()
        fits = [one.judge(readings, f['sensor_variance'][:len(readings)]) for one in filters]
        there = fits[0].channels
        y, S = moments(chances, np.array([fit.residual for fit in fits]),
                       np.array([fit.covariance for fit in fits]))
        kept = np.empty(len(there), bool)
        find_credible(self._filters, y, S.diagonal(), kept)
        count, left = int(kept.sum()), int((~kept).sum())
        f['count'], f['rejected_count'], f['nis'] = count, left, 0.0
        f['present'][:count], f['rejected'][:left] = there[kept], there[~kept]
        credible = np.full(len(readings), np.nan)
        credible[there[kept]] = readings[there[kept]]
        y, S = y[kept], S[np.ix_(kept, kept)]
        f['residual'][:count], f['residual_covariance'][:count, :count] = y, S
        if count:
            f['nis'] = y @ np.linalg.solve(S, y)
        return credible


def hypotheses(count: int, bank) -> list[Hypothesis]:
    """Return as many filters for a FilterBank.  Raises FilterError, SensorError."""
    settings = bank.settings
    own = ErrorEkfEjSettings(acceleration_psd=settings.acceleration_psd, gate=0.0,
                             initial_variance=settings.initial_variance)
    return [Hypothesis(bank.mechanism, bank.sensors, bank.dt, own) for _ in range(count)]
