"""Matrix-R: the equations of motion of the independent coordinates alone."""

from mb_model.formulations.accelerations import AccelerationStepper
from mb_model.kernels import dynamics, entry_points


class MatrixR(AccelerationStepper):
    """Independent coordinates; the position problem is solved at every evaluation."""

    _kind = dynamics.MATRIX_R

    def _advance(self, dt):
        if self.integrator == 'trapezoidal':
            return entry_points.step_trapezoidal(self.model, self.work, dt)
        return super()._advance(dt)
