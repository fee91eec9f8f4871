"""Formulations that give accelerations from positions and velocities, for any integrator."""

from mb_model.formulations.stepper import Stepper
from mb_model.formulations.tableaux import TABLEAUX
from mb_model.kernels import dynamics, entry_points


class AccelerationStepper(Stepper):
    """Accelerations by the formulation numbered `_kind` in kernels.dynamics."""

    integrators = ('trapezoidal', *TABLEAUX)
    _kind = None

    def _advance(self, dt):
        if self.integrator == 'trapezoidal':
            return entry_points.step_trapezoidal_iteration(self.model, self.work, dt, self._kind)
        return entry_points.step_explicit(self.model, self.work, dt, self._kind,
                                          TABLEAUX[self.integrator])


class CoordinatePartitioning(AccelerationStepper):
    """Degrees of freedom integrated, all accelerations solved for together."""

    _kind = dynamics.COORDINATE_PARTITIONING


class Penalty(AccelerationStepper):
    """All coordinates integrated; violated constraints push back like stiff damped springs."""

    _kind = dynamics.PENALTY


class Lagrange(AccelerationStepper):
    """All coordinates integrated with Lagrange multipliers and Baumgarte's stabilisation."""

    _kind = dynamics.LAGRANGE
