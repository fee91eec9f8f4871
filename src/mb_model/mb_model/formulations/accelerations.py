"""Formulations that give accelerations from positions and velocities, for any integrator."""

from mb_model.formulations.stabilisation import PenaltySettings, StabilisationSettings
from mb_model.formulations.stepper import Stepper
from mb_model.formulations.tableaux import TABLEAUX
from mb_model.kernels import entry_points, formulation_numbers


class AccelerationStepper(Stepper):
    """Explicit integrators by their tableau, the trapezoidal rule by repeated substitution."""

    integrators = ('trapezoidal', *TABLEAUX)

    def _advance(self, dt):
        if self.integrator == 'trapezoidal':
            return entry_points.step_trapezoidal_iteration(self.model, self.work, dt, self.kind)
        return entry_points.step_explicit(self.model, self.work, dt, self.kind,
                                          TABLEAUX[self.integrator])


class Penalty(AccelerationStepper):
    """All coordinates integrated; violated constraints push back like stiff damped springs."""

    kind = formulation_numbers.PENALTY
    serves_sparse = True
    Settings = PenaltySettings


class Lagrange(AccelerationStepper):
    """All coordinates integrated with Lagrange multipliers and Baumgarte's stabilisation."""

    kind = formulation_numbers.LAGRANGE
    serves_sparse = True
    Settings = StabilisationSettings


class ClosedForm(AccelerationStepper):
    """All coordinates integrated; accelerations by the inverse of the mass matrix, stabilised."""

    kind = formulation_numbers.CLOSED_FORM
    Settings = StabilisationSettings
