"""cekf_penalty: continuous EKF in all coordinates, whose constraints are stiff springs."""

from dataclasses import asdict, dataclass, fields

import numpy as np

from mb_estimators.filters.dependent import ConstraintSettings, DependentFilter
from mb_estimators.kernels.penalty_correction import correct_penalty
from mb_estimators.kernels.penalty_prediction import predict_penalty
from mb_estimators.penalty_record import PENALTY_STEP
from mb_model.formulations.stabilisation import PenaltySettings
from mb_model.settings import setting


@dataclass(frozen=True)
class CekfPenaltySettings(PenaltySettings, ConstraintSettings):
    """Continuous EKF with the penalty method: violated constraints push back."""

    natural_frequency: float = setting(
        1.0, unit='1/s', at_least=0.0,
        help='Natural frequency of the way back of violated constraints; 0: none. Accelerometers '
             'feel that way: the faster it is, the more it misleads them')


class CekfPenalty(DependentFilter):
    """The continuous EKF on the penalty formulation of Rodriguez et al. 2023, Sec. 3.

    States: q, qd.  Readings count as they do in cekf.  The penalty method has no answer to large
    corrections, which tear the mechanism; then it is closed again, see constraint_tolerance.
    """

    Settings = CekfPenaltySettings

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        self._steps = np.zeros(1, PENALTY_STEP)
        super().__init__(mechanism, sensors, dt, settings)

    def _set_up(self, record):
        super()._set_up(record)
        values = asdict(self.settings)
        for field in fields(PenaltySettings):
            self._works[field.name] = values[field.name]

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g); see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        self._steps['step'] = 0.0

    def _step(self, dt):
        return predict_penalty(self._models, self._works, self._filters, self._steps, dt)

    def _correct(self, readings):
        return correct_penalty(self._models, self._works, self._channels, self._filters,
                               self._steps, readings)
