"""dual_ukf_error_ekf_fe: a UKF for parameters of the model beside error_ekf_fe."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filters.estimated_force import ForceFilter, ForceSettings
from mb_estimators.filters.parameters import EstimatesParameters, Parameters, ParameterSettings
from mb_estimators.filters.shared_settings import ModelFilterSettings, machine_noise
from mb_estimators.kernels.dual_correction import correct_dual
from mb_estimators.kernels.exact_prediction import keep_force
from mb_estimators.kernels.parameter_points import (
    follow_with_shifts,
    motion_shift,
    step_points,
    walk_parameters,
)
from mb_estimators.records.parameter import DUAL
from mb_model.arrays import FloatArray


@dataclass(frozen=True)
class DualUkfErrorEkfFeSettings(ParameterSettings, ForceSettings, ModelFilterSettings):
    """Sigma points for masses, lengths, gravity and the like, an EKF for motion and forces."""

    acceleration_variance: float = machine_noise(
        1e-8, unit='rad^2/s^4', grows=2.0,
        help='Variance by which the errors of the independent accelerations may grow in a step '
             'dt: what the parameters do not explain.  The larger, the less is learnt of them')


class DualUkfErrorEkfFe(EstimatesParameters, ForceFilter):
    """The dual filter of Rodriguez et al. 2023, Sec. 9.

    At every step a UKF estimates the parameters, then errorEKF_FE states and forces with the newest
    ones.  The sigma points of the parameters have models of their own, whose motion is corrected as
    the model's is: see kernels.parameter_points.
    """

    Settings = DualUkfErrorEkfFeSettings
    takes_mountings = False

    def _prepare(self) -> None:
        self._parameters = Parameters(self.mechanism, self.settings, DUAL, self._sizes)
        super()._prepare()
        self._point_models, self._point_works = self._models.copy(), self._works.copy()
        self._point_records = self._parameters.records.copy()
        self._own_records |= {'point_models': self._point_models, 'point_works': self._point_works,
                              'point_parameters': self._point_records}

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g) with the parameters of the mechanism; see ModelFilter.reset."""
        p = self._parameters
        p.restart(self._models, self._works)
        count = len(p.names)
        p.estimated['shift'] = p.estimated['factor'] = 0.0
        p.estimated['factor'][0, range(count), range(count)] = p.deviations
        super().reset(z, zd, covariance)

    def _follow(self) -> None:
        super()._follow()
        if self._orientations.moved:
            follow_with_shifts(self._parameters.estimated, self._g, self._orientations.indices,
                               self._orientations.changes)

    def _step(self, dt: float) -> bool:
        p = self._parameters
        return (step_points(self._works, self._point_models, self._point_works, self._filters,
                            self._point_records, p.estimated, dt)
                and super()._step(dt)
                and keep_force(self._models, self._works, self._filters)
                and walk_parameters(self._works, self._filters, p.estimated, dt, self._g))

    def _correct(self, readings: FloatArray) -> int:
        p = self._parameters
        return correct_dual(self._models, self._works, self._channels, self._filters,
                            self._point_models, self._point_works, p.records, self._point_records,
                            p.estimated, readings)

    def _covariance(self) -> FloatArray:
        """Return the covariance of z, zd, zdd, of which part comes from the parameters."""
        p = self._parameters
        shift = np.empty((3 * self._g, len(p.names)))
        motion_shift(self._models, self._works, p.records, p.estimated, shift)
        return super()._covariance() + shift @ shift.T

    def _further_estimates(self) -> dict[str, Any]:
        count = len(self._parameters.names)
        factor = self._parameters.estimated['factor'][0, :count, :count]
        return super()._further_estimates() | self._parameters.estimate(factor @ factor.T)

    def _force_covariance(self) -> FloatArray:
        g = self._g
        shift = self._parameters.estimated['shift'][0, 2 * g:3 * g]
        return super()._force_covariance() + shift @ shift.T
