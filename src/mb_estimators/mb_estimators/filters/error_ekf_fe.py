"""error_ekf_fe: error_ekf_ej that estimates the unknown forces too."""

from dataclasses import dataclass

from mb_estimators.filters.estimated_force import ForceFilter, ForceSettings
from mb_estimators.filters.shared_settings import FormSettings, ModelFilterSettings
from mb_estimators.filters.transition import ExactTransition


@dataclass(frozen=True)
class ErrorEkfFeSettings(FormSettings, ForceSettings, ModelFilterSettings):
    """Error-state EKF with force estimation: acceleration errors are states, a random walk."""


class ErrorEkfFe(ExactTransition, ForceFilter):
    """The error-state EKF of Rodriguez et al. 2023, Sec. 7.3 (errorEKF_FE).

    States: errors of z, zd, zdd, zero after every correction: what the acceleration was wrong by
    becomes a force on the degree of freedom, which the model keeps.
    """

    Settings = ErrorEkfFeSettings
    takes_mountings = True

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        super().__init__(mechanism, sensors, dt, settings)
        self._filter['direct'] = settings.form == 'direct'
        self.reset(mechanism.z0, mechanism.zd0)
