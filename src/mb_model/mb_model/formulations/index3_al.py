"""Index-3 augmented Lagrangian in dependent coordinates."""

from dataclasses import dataclass

from mb_model.formulations.stepper import Stepper
from mb_model.kernels import entry_points, formulation_numbers
from mb_model.record import ITERATIONS, TOLERANCE
from mb_model.settings import Settings, setting


@dataclass(frozen=True)
class Index3Settings(Settings):
    """When Newton's iteration of a step ends."""

    newton_tolerance: float = setting(TOLERANCE, unit='1/s', above=0.0,
                                      help='Last increment of the coordinates over the step, in '
                                           'radians and sizes of the mechanism')
    iterations: int = setting(ITERATIONS, at_least=1, help='The most of them')


class Index3AugmentedLagrangian(Stepper):
    """Dependent coordinates, trapezoidal rule, velocities and accelerations projected.

    No other integrator: the equations are those of positions at the end of a step, with the
    trapezoidal rule put in, and the projections undo what it does to velocities.
    """

    integrators = ('trapezoidal',)
    serves_sparse = True
    kind = formulation_numbers.AUGMENTED_LAGRANGIAN
    Settings = Index3Settings

    def _renew(self):
        return entry_points.renew_index3_al(self.model, self.work)

    def _advance(self, dt):
        return entry_points.step_index3_al(self.model, self.work, dt) > 0
