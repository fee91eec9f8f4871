"""What Python calls: one compiled function per question, over arrays of one circuit and fluid."""

from numba import njit

from mb_model.hydraulics.kernels import cylinder, fluid_step, pressure

_rates, _derivatives, _forces = pressure.rates, pressure.derivatives, cylinder.forces
_step_fluid = fluid_step.step


@njit(cache=True)
def rates(circuits, fluids):
    """See kernels.pressure.rates."""
    _rates(circuits[0], fluids[0])


@njit(cache=True)
def derivatives(circuits, fluids):
    """See kernels.pressure.derivatives."""
    _derivatives(circuits[0], fluids[0])


@njit(cache=True)
def forces(circuits, fluids):
    """See kernels.cylinder.forces."""
    _forces(circuits[0], fluids[0])


@njit(cache=True)
def step_fluid(circuits, fluids, h, s, sd):
    """See kernels.fluid_step.step."""
    return _step_fluid(circuits[0], fluids[0], h, s, sd)
