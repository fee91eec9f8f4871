"""Matrix-R: the equations of motion of the independent coordinates alone."""

from mb_model.formulations.accelerations import AccelerationStepper
from mb_model.kernels import dynamics, entry_points

_EXPONENTIAL = {f'exponential_{order}': order for order in range(5)}


class MatrixR(AccelerationStepper):
    """Independent coordinates; the position problem is solved at every evaluation."""

    integrators = (*AccelerationStepper.integrators, *_EXPONENTIAL)
    _kind = dynamics.MATRIX_R

    def _advance(self, dt):
        if self.integrator == 'trapezoidal':
            return entry_points.step_trapezoidal(self.model, self.work, dt)
        if self.integrator in _EXPONENTIAL:
            return entry_points.step_exponential(self.model, self.work, dt,
                                                 _EXPONENTIAL[self.integrator])
        return super()._advance(dt)
