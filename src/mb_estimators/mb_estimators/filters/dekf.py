"""dekf: discrete EKF on z, zd by forward Euler and the matrix-R formulation."""

from dataclasses import dataclass

from mb_estimators.filters.transition import SimpleTransition
from mb_estimators.filters.white_noise import WhiteNoiseFilter, WhiteNoiseSettings
from mb_estimators.kernels.prediction import predict_euler


@dataclass(frozen=True)
class DekfSettings(WhiteNoiseSettings):
    """Discrete EKF: forward Euler on the independent coordinates of the matrix-R formulation."""


class Dekf(SimpleTransition, WhiteNoiseFilter):
    """The discrete extended Kalman filter of Rodriguez et al. 2023, Sec. 5 (DEKF).

    As published.  The paper reads no accelerometers with it; their Jacobian contains what the
    accelerations of the model change by.
    """

    Settings = DekfSettings

    def _step(self, dt):
        return predict_euler(self._models, self._works, self._filters, dt)
