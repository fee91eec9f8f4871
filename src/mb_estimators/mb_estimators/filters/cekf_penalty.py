"""cekf_penalty: continuous EKF in all coordinates, whose constraints are stiff springs."""

from dataclasses import asdict, dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter import FilterError
from mb_estimators.filters.continuous_feedback import (
    FeedbackSettings,
    explained,
    use_feedback,
)
from mb_estimators.filters.dependent import ConstraintSettings, DependentFilter
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.kernels.kalman_bucy_penalty import (
    correct_penalty_as_published,
    predict_penalty_as_published,
    start_penalty,
)
from mb_estimators.kernels.kalman_bucy_step import KALMAN_BUCY
from mb_estimators.kernels.penalty_correction import correct_penalty
from mb_estimators.kernels.penalty_prediction import PENALTY_STEP, predict_penalty
from mb_model import PenaltyInertiaSettings, PenaltySettings, StabilisationSettings, setting
from mb_model.arrays import FloatArray

_NO_READING = np.empty(0)


@dataclass(frozen=True)
class CekfPenaltySettings(FeedbackSettings, PenaltyInertiaSettings, StabilisationSettings,
                          ConstraintSettings, WhiteNoiseSettings, ModelFilterSettings):
    """Continuous EKF with the penalty method: violated constraints push back."""

    natural_frequency: float = setting(
        1.0, unit='1/s', at_least=0.0,
        help='Natural frequency of the return of violated constraints; 0: none. Accelerometers '
             'feel that return: the faster it is, the more it misleads them; the paper has 10')
    jacobian: str = setting(
        'exact', choices=('exact', 'approximate'),
        help='Derivative of the accelerations that moves the covariance; approximate: of the '
             'paper (Eq. 31), as always with as_published')
    as_published: bool = setting(
        False,
        help='Whether to be the filter of the paper to the letter. true: the covariance of all '
             'coordinates, which starts with initial_variance each, follows the continuous '
             'Riccati equation, with the approximate Jacobian of the paper (Eq. 31); the noise of '
             'all accelerations has the density acceleration_psd; the variance of a sensor is '
             'taken for the power spectral density of its noise; nothing but the penalty holds '
             'the constraints. false: the covariance is as in a discrete filter with the exact '
             'derivative of the step, and of motions that the constraints allow; a mechanism torn '
             'beyond constraint_tolerance is closed')


class CekfPenalty(DependentFilter):
    """The continuous EKF on the penalty formulation of Rodriguez et al. 2023, Sec. 3.

    States: q, qd.  Readings count as they do in cekf.  The penalty method has no answer to large
    corrections, which tear the mechanism; then it is closed again, see constraint_tolerance.  The
    filter of the paper, which has no answer to them either, is `as_published`.
    """

    Settings = CekfPenaltySettings
    takes_rotations = False
    _follows_late = True

    def _prepare(self) -> None:
        super()._prepare()
        record_type = KALMAN_BUCY if self.settings.as_published else PENALTY_STEP
        self._steps, values = record_type.of(self._sizes), asdict(self.settings)
        self._own_records['step'] = self._steps
        use_feedback(self._steps, self.settings.feedback, self.settings.as_published)
        for field in fields(PenaltySettings):
            self._works[field.name] = values[field.name]

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g); see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        self._steps['step'] = 0.0
        if self.settings.as_published and not start_penalty(
                self._models, self._works, self._filters, self._steps):
            raise FilterError(f'{self.mechanism.name}: no accelerations at the start')

    def _step(self, dt: float) -> bool:
        if self.settings.as_published:
            return explained(predict_penalty_as_published(
                self._models, self._works, self._channels, self._filters, self._steps, _NO_READING,
                dt), self._steps, dt)
        return predict_penalty(self._models, self._works, self._filters, self._steps,
                               self.settings.jacobian == 'approximate', dt)

    def act(self, inputs: ArrayLike | None) -> None:
        """See Cekf.act."""
        if self.settings.as_published:
            return
        before = self._work['qdd'][:self._n].copy()
        super().act(inputs)
        self._steps[0]['begin_qdd'][:self._n] -= self._work['qdd'][:self._n] - before

    def _correct(self, readings: FloatArray) -> int:
        kernel = correct_penalty_as_published if self.settings.as_published else correct_penalty
        return kernel(self._models, self._works, self._channels, self._filters, self._steps,
                      readings)
