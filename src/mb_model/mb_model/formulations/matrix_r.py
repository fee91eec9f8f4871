"""Matrix-R: the equations of motion of the independent coordinates alone."""

from mb_model.formulations.stepper import Stepper
from mb_model.kernels import entry_points


class MatrixR(Stepper):
    """Independent coordinates; the position problem is solved at every evaluation."""

    integrators = ('trapezoidal', 'forward_euler')
    _steps = {'trapezoidal': entry_points.step_trapezoidal,
              'forward_euler': entry_points.step_forward_euler}

    def _advance(self, dt):
        return self._steps[self.integrator](self.model, self.work, dt)
