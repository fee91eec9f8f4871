"""What Python calls: one compiled function per question.

Over arrays of one circuit and fluid; of mechanism and oil together, of one model and work, too.
"""

from mb_model.circuit.kernels import coupled_step, cylinder, fluid_step, power, pressure
from mb_model.jit import entry
from mb_model.kernels import parameters, storage

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


_evaluate, _step = coupled_step.evaluate, coupled_step.step
_set_parameter, _mass_matrix = parameters.set_parameter, storage.fill_mass_matrix


@entry
def evaluate(models, works, circuits, fluids):
    """See kernels.coupled_step.evaluate."""
    return _evaluate(models[0], works[0], circuits[0], fluids[0])


@entry
def step(models, works, circuits, fluids, h):
    """See kernels.coupled_step.step."""
    return _step(models[0], works[0], circuits[0], fluids[0], h)


@entry
def set_parameter(models, works, parameters, value):
    """See kernels.parameters.set_parameter; writes the mass matrix, too."""
    _set_parameter(models[0], parameters[0], value)
    _mass_matrix(models[0], works[0])
