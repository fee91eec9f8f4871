"""dekf: discrete EKF on z, zd by forward Euler and the matrix-R formulation."""

from dataclasses import dataclass

from mb_model.settings import Settings, setting

from mb_estimators.filters.independent import IndependentFilter
from mb_estimators.kernels.prediction import predict_euler


@dataclass(frozen=True)
class DekfSettings(Settings):
    """Discrete EKF: forward Euler on the independent coordinates of the matrix-R formulation."""

    acceleration_psd: float = setting(
        9.162e-2, unit='rad^2/s^3', above=0.0,
        help='Power spectral density of the noise of the independent accelerations')
    initial_variance: float = setting(
        7.6e-3, unit='rad^2', above=0.0, help='Initial variance of every state')


class Dekf(IndependentFilter):
    """The discrete extended Kalman filter of Rodriguez et al. 2023, Sec. 5 (DEKF)."""

    Settings = DekfSettings

    def _step(self, dt):
        return predict_euler(self._models, self._works, self._filters, dt)
