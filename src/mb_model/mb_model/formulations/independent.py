"""Formulations that integrate the degrees of freedom alone; the others follow by kinematics."""

from mb_model.formulations.accelerations import AccelerationStepper
from mb_model.kernels import entry_points, formulation_numbers

_SERIES = {f'exponential_{order}': order for order in range(5)}


class IndependentStepper(AccelerationStepper):
    """Exact derivatives of zdd are at hand: Newton's iteration, exponential integrators."""

    integrators = (*AccelerationStepper.integrators, 'exponential', *_SERIES)

    def __init__(self, mechanism, integrator=None, **settings):
        if integrator in _SERIES and mechanism.described.prescribed:
            raise ValueError(f'integrator: {integrator}: not with prescribed coordinates: it takes '
                             'the equations as constant during a step')
        super().__init__(mechanism, integrator, **settings)

    def _advance(self, dt):
        if self.integrator == 'trapezoidal':
            return entry_points.step_trapezoidal(self.model, self.work, dt, self.kind)
        if self.integrator == 'exponential':
            return entry_points.step_exponential(self.model, self.work, dt, self.kind)
        if self.integrator in _SERIES:
            return entry_points.step_exponential_series(self.model, self.work, dt, self.kind,
                                                        _SERIES[self.integrator])
        return super()._advance(dt)


class MatrixR(IndependentStepper):
    """The equations of motion of the degrees of freedom alone."""

    kind = formulation_numbers.MATRIX_R


class CoordinatePartitioning(IndependentStepper):
    """The accelerations of all coordinates solved for together."""

    kind = formulation_numbers.COORDINATE_PARTITIONING
