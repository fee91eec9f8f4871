"""dekf: discrete EKF on z, zd by forward Euler and the matrix-R formulation."""

from dataclasses import dataclass

from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.parts import FollowsRolling, SimpleTransition, WhiteNoise
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.kernels.prediction import predict_euler


@dataclass(frozen=True)
class DekfSettings(WhiteNoiseSettings, ModelFilterSettings):
    """Discrete EKF: forward Euler on the independent coordinates of the matrix-R formulation."""


class Dekf(FollowsRolling, SimpleTransition, WhiteNoise, ModelFilter):
    """The discrete extended Kalman filter of Rodriguez et al. 2023, Sec. 5 (DEKF).

    As published.  The paper reads no accelerometers with it; their Jacobian contains what the
    accelerations of the model change by.
    """

    Settings = DekfSettings
    steps_explicitly = True
    takes_mountings = True
    _begins_accelerated = True
    _predict_kernel = staticmethod(predict_euler)
