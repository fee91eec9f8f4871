"""Index-3 augmented Lagrangian in dependent coordinates."""

from mb_model.formulations.stepper import Stepper
from mb_model.kernels import entry_points


class Index3AugmentedLagrangian(Stepper):
    """Dependent coordinates, trapezoidal rule, velocities and accelerations projected."""

    integrators = ('trapezoidal',)
    serves_sparse = True

    def _advance(self, dt):
        return entry_points.step_index3_al(self.model, self.work, dt) > 0
