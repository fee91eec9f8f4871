"""cekf: continuous EKF, whose model and corrections are integrated together."""

from dataclasses import dataclass

from mb_estimators.filters.white_noise import WhiteNoiseFilter, WhiteNoiseSettings
from mb_estimators.kernels.continuous import correct_continuous, predict_continuous


@dataclass(frozen=True)
class CekfSettings(WhiteNoiseSettings):
    """Continuous EKF: the sensors pull at the model while the trapezoidal rule integrates it."""


class Cekf(WhiteNoiseFilter):
    """The continuous EKF on the matrix-R formulation of Rodriguez et al. 2023, Sec. 3 (CEKF).

    A reading of variance sigma^2 at the end of a step h counts as a continuous measurement during
    the step, of power spectral density sigma^2 h, which carries the same information.  The stiff
    feedback of accurate sensors is integrated implicitly, so it cannot make the filter diverge.
    """

    Settings = CekfSettings
    _kernel = staticmethod(correct_continuous)

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g); see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        self._filter['step'] = 0.0

    def _step(self, dt):
        return predict_continuous(self._models, self._works, self._filters, dt)
