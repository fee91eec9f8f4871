"""What Python calls: one compiled function per question, over arrays of one circuit and fluid."""


from mb_model.circuit.kernels import cylinder, fluid_step, power, pressure
from mb_model.jit import entry

_rates, _derivatives, _forces = pressure.rates, pressure.derivatives, cylinder.forces
_step_fluid, _powers = fluid_step.step, power.powers


@entry
def rates(circuits, fluids):
    """See kernels.pressure.rates."""
    _rates(circuits[0], fluids[0])


@entry
def derivatives(circuits, fluids):
    """See kernels.pressure.derivatives."""
    _derivatives(circuits[0], fluids[0])


@entry
def forces(circuits, fluids):
    """See kernels.cylinder.forces."""
    _forces(circuits[0], fluids[0])


@entry
def step_fluid(circuits, fluids, h, s, sd):
    """See kernels.fluid_step.step."""
    return _step_fluid(circuits[0], fluids[0], h, s, sd)


@entry
def power_series(circuits, fluids, motion, out):
    """Write the powers of kernels.power to out (k, 4) for each row s, sd, p, U of motion."""
    circuit, fluid = circuits[0], fluids[0]
    cylinders, volumes = circuit.cylinders, circuit.volumes
    for row in range(motion.shape[0]):
        for k in range(cylinders):
            fluid.s[k], fluid.sd[k] = motion[row, k], motion[row, cylinders + k]
        for n in range(volumes):
            fluid.p[n] = motion[row, 2 * cylinders + n]
        for k in range(circuit.valves):
            fluid.U[k] = motion[row, 2 * cylinders + volumes + k]
        _powers(circuit, fluid, out[row])
