"""What filters in dependent coordinates share: states q and qd, which satisfy the constraints."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.filter import DivergenceError
from mb_estimators.filters.channels import write_biases
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.white_noise import WhiteNoiseSettings
from mb_estimators.kernels.dependent_prediction import (
    PREDICTED,
    TOO_NOISY,
    predict_dependent,
)
from mb_estimators.kernels.dependent_state import spread_covariance
from mb_estimators.records.dependent import DEPENDENT
from mb_model.settings import setting


@dataclass(frozen=True)
class ConstraintSettings(WhiteNoiseSettings):
    """What all filters in dependent coordinates can be told."""

    constraint_tolerance: float = setting(
        1e-3, unit='m^2', above=0.0,
        help='Norm that the constraints and their rates may have')


@dataclass(frozen=True)
class DependentSettings(ConstraintSettings):
    """Of filters to which constraints are readings."""

    dependent_variance: float = setting(
        1.0, unit='m^2', above=0.0,
        help='Variance by which positions and velocities of the coordinates that are no degrees '
             'of freedom may change in a step, beside moving with these: much more than is '
             'needed, so that the constraints are free to move them')
    as_published: bool = setting(
        False,
        help='Whether to be the filter of the paper to the letter. true: a prediction is not '
             'closed, however far its Euler step leaves the constraints; the noise of constraints '
             'shrinks by its decay alone; all coordinates and velocities start with '
             'initial_variance, and those that are no degrees of freedom have the plant noise '
             'dependent_variance, no more, so that this must be larger than acceleration_psd times '
             'the step times the square of how fast they move with the degrees of freedom, or the '
             'filter cannot predict; readings with which the constraints are not met are '
             'impossible. false: predictions beyond constraint_tolerance are closed; sckf adds '
             'what constraints are still off by to their noise; the start has the covariance '
             'that the constraints allow')


class DependentFilter(ModelFilter):
    """A filter with the states q, qd and biases; a plugin adds its settings and its correction."""

    _record = DEPENDENT

    def _set_up(self, record):
        settings = self.settings
        record['motion'] = 2 * self._n
        write_biases(record, self.sensors, self._biases)
        record['acceleration_psd'][:self._g] = settings.acceleration_psd
        record['dependent_variance'] = getattr(settings, 'dependent_variance', 0.0)
        record['as_published'] = getattr(settings, 'as_published', False)
        record['tolerance'] = settings.constraint_tolerance

    def _set_covariance(self, covariance):
        free = covariance is None and self._filter['as_published'] == 1
        size = 2 * (self._n if free else self._g)
        if covariance is None:
            covariance = np.eye(size) * self.settings.initial_variance
        factor = self._filter['factor']
        factor[:] = 0.0
        factor[:size, :size] = np.linalg.cholesky(covariance)
        for b, settings in enumerate(self._biases.values(), size):
            factor[b, b] = settings.bias_sigma
        self._filter['bias'] = 0.0
        if not free:
            spread_covariance(self._models, self._works, self._filters)

    def _step(self, dt):
        status = predict_dependent(self._models, self._works, self._filters, dt)
        if status == TOO_NOISY:
            raise DivergenceError(
                'the plant noise moves the other coordinates by more than dependent_variance, '
                'which as_published is all of their noise')
        return status == PREDICTED

    def _covariance(self):
        z = self._models['independent'][0, :self._g]
        rows = self._filter['factor'][np.concatenate([z, self._n + z]), :self._filter['states']]
        factor = np.linalg.qr(rows.T, mode='r')
        return factor.T @ factor

    def _bias_deviations(self):
        first = int(self._filter['motion'])
        return np.linalg.norm(self._filter['factor'][first:first + len(self._biases)], axis=1)
