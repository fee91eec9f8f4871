"""Index-3 augmented Lagrangian in dependent coordinates."""

from mb_model.formulations.stepper import Stepper
from mb_model.kernels import dynamics, entry_points


class Index3AugmentedLagrangian(Stepper):
    """Dependent coordinates, trapezoidal rule, velocities and accelerations projected.

    No other integrator: the equations are those of positions at the end of a step, with the
    trapezoidal rule put in, and the projections undo what it does to velocities.
    """

    integrators = ('trapezoidal',)
    serves_sparse = True
    kind = dynamics.AUGMENTED_LAGRANGIAN

    def _advance(self, dt):
        return entry_points.step_index3_al(self.model, self.work, dt) > 0
