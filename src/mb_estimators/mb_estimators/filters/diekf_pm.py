"""diekf_pm: iterated extended Kalman filter that reads constraints like perfect sensors."""

from dataclasses import dataclass

from mb_estimators.filters.dependent import ConstraintSettings, DependentFilter, DependentSettings
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.kernels.dependent_correction import correct_diekf_pm
from mb_model import setting

_DECAY = 1.0      # in every iteration the variance is divided by e


@dataclass(frozen=True)
class DiekfPmSettings(DependentSettings, ConstraintSettings, WhiteNoiseSettings,
                      ModelFilterSettings):
    """Iterated filter that takes readings and constraints in together."""

    constraint_variance: float = setting(
        1e-3, unit='m^4', above=0.0,
        help='Variance of the constraints in the first iteration; in every further one it is '
             'divided by e')


class DiekfPm(DependentFilter):
    """The iterated EKF with perfect measurements of Rodriguez et al. 2023, Sec. 6.2 (DIEKFpm).

    By default it differs from the paper where that makes it wrong: see `as_published`.
    """

    Settings = DiekfPmSettings
    steps_explicitly = True
    _correct_kernel = staticmethod(correct_diekf_pm)

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        super().__init__(mechanism, sensors, dt, settings, as_published=settings.as_published,
                         dependent_variance=settings.dependent_variance)
        self._filter['weakening'] = settings.constraint_variance
        self._filter['decay'] = _DECAY
        self.reset(mechanism.z0, mechanism.zd0)
