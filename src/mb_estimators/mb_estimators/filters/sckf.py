"""sckf: smoothly constrained Kalman filter in dependent coordinates."""

from dataclasses import dataclass

from mb_estimators.filters.dependent import ConstraintSettings, DependentFilter, DependentSettings
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.kernels.dependent_correction import correct_sckf
from mb_model import setting


@dataclass(frozen=True)
class SckfSettings(DependentSettings, ConstraintSettings, WhiteNoiseSettings,
                   ModelFilterSettings):
    """Smoothly constrained filter: after the readings, constraints are taken for noisy ones."""

    weakening: float = setting(
        0.1, above=0.0,
        help='First noise of the constraints, as a share of what the covariance says of them')
    weakening_decay: float = setting(
        10.0, above=0.0, help='The noise of the constraints falls by e^-decay in every pass')


class Sckf(DependentFilter):
    """The smoothly constrained Kalman filter of Rodriguez et al. 2023, Sec. 6.1 (SCKF).

    By default it differs from the paper where that makes it wrong: see `as_published`.
    """

    Settings = SckfSettings
    steps_explicitly = True
    _correct_kernel = staticmethod(correct_sckf)

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        super().__init__(mechanism, sensors, dt, settings, as_published=settings.as_published,
                         dependent_variance=settings.dependent_variance)
        self._filter['weakening'] = settings.weakening
        self._filter['decay'] = settings.weakening_decay
        self.reset(mechanism.z0, mechanism.zd0)
