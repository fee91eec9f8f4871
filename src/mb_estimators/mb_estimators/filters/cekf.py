"""cekf: continuous EKF, whose model and corrections are integrated together."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from mb_estimators.filter import FilterError
from mb_estimators.filters.continuous_feedback import (
    FeedbackSettings,
    explained,
    use_feedback,
)
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.orientations import PLANAR_PAPER
from mb_estimators.filters.parts import WhiteNoise
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.kernels.continuous import correct_continuous, predict_continuous
from mb_estimators.kernels.feedback import FEEDBACK
from mb_estimators.kernels.kalman_bucy import (
    correct_kalman_bucy,
    predict_kalman_bucy,
    start_kalman_bucy,
)
from mb_estimators.kernels.kalman_bucy_step import KALMAN_BUCY
from mb_model import setting
from mb_model.arrays import FloatArray


@dataclass(frozen=True)
class CekfSettings(FeedbackSettings, WhiteNoiseSettings, ModelFilterSettings):
    """Continuous EKF: the sensors pull at the model while the trapezoidal rule integrates it."""

    jacobian: str = setting(
        'exact', choices=('exact', 'approximate'),
        help='Derivative of the accelerations that moves the covariance; approximate: of the '
             'paper (Eq. 23), as always with as_published')
    tangent: str = setting(
        'exact', choices=('exact', 'approximate'),
        help='Derivative with which a corrected step is iterated; approximate: of the paper (Eq. '
             '26): more iterations, to the same end')
    as_published: bool = setting(
        False,
        help='Whether to be the filter of the paper to the letter. true: the covariance follows '
             'the continuous Riccati equation, with the approximate Jacobian of the paper '
             '(Eq. 23); the variance of a sensor is taken for the power spectral density of its '
             'noise, as if it were read once a second; readings of an instant belong into one '
             'correction. false: the covariance is as in a discrete EKF with the exact '
             'Jacobian, and the density of a sensor is its variance times the step, so that '
             'readings are worth what they say')


class Cekf(WhiteNoise, ModelFilter):
    """The continuous EKF on the matrix-R formulation of Rodriguez et al. 2023, Sec. 3 (CEKF).

    By default only the state is integrated with feedback: the covariance is as in a discrete EKF,
    and so are, nearly, the estimates.  A reading of variance sigma^2 at the end of a step h counts
    as a continuous measurement during the step, of power spectral density sigma^2 h, which carries
    the same information.  The stiff feedback of accurate sensors is integrated implicitly, so it
    cannot make the filter diverge.  The Kalman-Bucy filter of the paper is `as_published`.
    """

    Settings = CekfSettings
    takes_rotations = False
    _follows_late = True

    def _prepare(self) -> None:
        super()._prepare()
        settings = self.settings
        if settings.as_published and self._turns:
            raise FilterError(f'{self.mechanism.name}: cekf: {PLANAR_PAPER}')
        self._steps = (KALMAN_BUCY if settings.as_published else FEEDBACK).of(self._sizes)
        self._own_records['step'] = self._steps
        self._plain = settings.tangent == 'approximate'
        if settings.as_published:
            self._steps['plain'] = self._plain
        use_feedback(self._steps, settings.feedback, settings.as_published)

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g); see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        self._filter['step'] = 0.0
        if self.settings.as_published:
            start_kalman_bucy(self._models, self._works, self._filters, self._steps)

    def _step(self, dt: float) -> bool:
        if self.settings.as_published:
            return explained(predict_kalman_bucy(
                self._models, self._works, self._channels, self._filters, self._steps, dt),
                self._steps, dt)
        return predict_continuous(self._models, self._works, self._filters,
                                  self.settings.jacobian == 'approximate', dt)

    def _walk_biases(self, dt: float) -> None:
        if not self.settings.as_published:      # the Riccati equation contains that walk
            super()._walk_biases(dt)

    def act(self, inputs: ArrayLike | None) -> None:
        """See ModelFilter.act; the step has begun with the forces of its begin, not their mean."""
        if self.settings.as_published:
            return
        before = self._work['zdd'][:self._g].copy()
        super().act(inputs)
        self._filter['begin_zdd'][:self._g] -= self._work['zdd'][:self._g] - before

    def _correct(self, readings: FloatArray) -> int:
        if self.settings.as_published:
            return correct_kalman_bucy(self._models, self._works, self._channels, self._filters,
                                       self._steps, readings)
        return correct_continuous(self._models, self._works, self._channels, self._filters,
                                  self._steps, self._plain, readings)
