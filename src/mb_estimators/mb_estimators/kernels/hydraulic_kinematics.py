"""Motion and oil as states of their own: mechanism, prediction and correction of such a filter."""

from mb_estimators.kernels.acceleration_jump import allow_for_jump
from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    SINGULAR,
    begin_states,
    end_states,
    weigh_readings,
)
from mb_estimators.kernels.covariance import keep_positive
from mb_estimators.kernels.exponential_noise import move_on
from mb_estimators.kernels.motion_observation import list_present, observe_motion, settle_position
from mb_estimators.kernels.sensor_states import observe_bias
from mb_estimators.records.filter import FILTER
from mb_estimators.records.oil import HYDRAULIC, PASCAL
from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import (
    cylinder_forces as forces,
    pressure_derivatives as derivatives,
    solve_acceleration,
)
from mb_model.record import MODEL, WORK
from mb_model.record.hydraulics import CIRCUIT, FLUID


@separate(MODEL, WORK, FILTER, HYDRAULIC)
def settle(model, work, f, y):
    """Solve positions, velocities and accelerations of the mechanism at z, zd, zdd of f.x.

    Returns False, positions as they were, if it has none.
    """
    y.solved = 1 if settle_position(model, work, f) and solve_acceleration(model, work) else 0
    return y.solved == 1


@kernel
def load_fluid(circuit, fluid, f, y, g):
    """Put the states f.x into the workspace of the circuit."""
    for k in range(g):
        cylinder = y.cylinder_of[k]
        if cylinder >= 0:
            fluid.s[cylinder], fluid.sd[cylinder] = f.x[k], f.x[g + k]
    for n in range(circuit.volumes):
        fluid.p[n] = PASCAL * f.x[3 * g + n]
    for n in range(circuit.valves):
        fluid.U[n] = f.x[3 * g + circuit.volumes + n]


@separate(MODEL, CIRCUIT, FLUID, FILTER, HYDRAULIC)
def report(model, circuit, fluid, f, y):
    """Write y.pressures, spools, forces of the cylinders, and their covariance, in SI units."""
    g = model.g
    load_fluid(circuit, fluid, f, y, g)
    forces(circuit, fluid)
    first, last = 3 * g, 3 * g + circuit.volumes
    for n in range(circuit.volumes):
        y.pressures[n] = fluid.p[n]
    for n in range(circuit.valves):
        y.spools[n] = fluid.U[n]
    for n in range(circuit.cylinders):
        y.forces[n] = fluid.force[n]
    for i in range(f.motion):
        unit = PASCAL if first <= i < last else 1.0
        for j in range(i + 1):
            value = unit * (PASCAL if first <= j < last else 1.0) * f.P[i, j]
            y.covariance[i, j] = value
            y.covariance[j, i] = value


@entry
def settle_and_report(models, works, circuits, fluids, filters, hydraulics):
    """Write all that is reported of the states; return False if there is no such position."""
    model, work, f, y = models[0], works[0], filters[0], hydraulics[0]
    if y.solved == 0 and not settle(model, work, f, y):
        return False
    report(model, circuits[0], fluids[0], f, y)
    return True


@entry
def predict_hydraulic(models, works, circuits, fluids, filters, hydraulics, h):
    """Move z, zd, zdd, pressures and spools on by h [s] under fluid.U_in; propagate P.

    The accelerations stay, but for noise.  Source: Pyrhonen et al. 2023b, Eqs. (18), (38), (40).
    The mechanism follows if its sensors ask for that; else `settle` does it.
    Returns False if there is no finite state to go on to.
    """
    circuit, f, y = circuits[0], filters[0], hydraulics[0]
    g = models[0].g
    load_fluid(circuit, fluids[0], f, y, g)
    derivatives(circuit, fluids[0])
    _linearise(circuit, fluids[0], f, y, g)
    if not move_on(f, y, 3 * g, h):
        return False
    if y.direct == 0 and not settle(models[0], works[0], f, y):
        return False
    return keep_positive(f)


@kernel
def _linearise(circuit, fluid, f, y, g):
    """Write y.rates, the derivatives of f.x, and y.A, theirs: Eqs. (18), (23), in MPa.

    Other elements of y.A than these are zero for good.
    """
    oil = 3 * g
    spools = oil + circuit.volumes
    for k in range(g):
        y.rates[k], y.rates[g + k] = f.x[g + k], f.x[2 * g + k]
        y.A[k, g + k], y.A[g + k, 2 * g + k] = 1.0, 1.0
    for n in range(circuit.volumes):
        y.rates[oil + n] = fluid.pd[n] / PASCAL
        for k in range(g):
            cylinder = y.cylinder_of[k]
            if cylinder >= 0:
                y.A[oil + n, k] = fluid.pd_s[n, cylinder] / PASCAL
                y.A[oil + n, g + k] = fluid.pd_sd[n, cylinder] / PASCAL
        for m in range(circuit.volumes):
            y.A[oil + n, oil + m] = fluid.pd_p[n, m]
        for m in range(circuit.valves):
            y.A[oil + n, spools + m] = fluid.pd_U[n, m] / PASCAL
    for m in range(circuit.valves):
        y.rates[spools + m] = fluid.Ud[m]
        y.A[spools + m, spools + m] = fluid.Ud_U[m]


@entry
def correct_hydraulic(models, works, circuits, fluids, channels, filters, hydraulics, readings):
    """Correct f.x and f.P by readings (NaN where there is none): Eqs. (39), (41), (42).

    Source: Pyrhonen et al. 2023b.  Returns CORRECTED or why not; then f.x and f.P are as they were.
    """
    model, work, f, y = models[0], works[0], filters[0], hydraulics[0]
    f.nis = 0.0
    if not _observe(model, work, channels, f, y, readings):
        return SINGULAR
    allow_for_jump(f, model.g)
    status = weigh_readings(f, True)
    if status == CORRECTED and f.count > 0:
        begin_states(f)
        status = end_states(f, CORRECTED if settle(model, work, f, y) else IMPOSSIBLE)
        if status != CORRECTED:
            settle(model, work, f, y)
    if status != CORRECTED:
        return status
    if y.solved == 0 and not settle(model, work, f, y):
        return SINGULAR
    report(model, circuits[0], fluids[0], f, y)
    return CORRECTED


@kernel
def _observe(model, work, channels, f, y, readings):
    """Write f.present, residual, variance and H; return False at a singular position.

    Channels that read a state itself need no mechanism.
    """
    list_present(f, readings)
    if y.direct == 1:
        for channel in range(channels.size):
            f.variance[channel] = f.sensor_variance[channel]
    elif (y.solved == 0 and not settle(model, work, f, y)) or not observe_motion(
            model, work, channels, f, readings):
        return False
    observe_states(f, y, readings)
    return True


@kernel
def observe_states(f, y, readings):
    """Write the rows of f.residual and H of the channels that read a state itself."""
    for row in range(f.count):
        channel = f.present[row]
        state, unit = y.state_of[channel], y.unit_of[channel]
        if state < 0:
            continue
        for i in range(f.motion):
            f.H[row, i] = 0.0
        f.H[row, state] = unit
        f.residual[row] = readings[channel] - unit * f.x[state]
        if f.bias_of[channel] >= 0:
            f.residual[row] -= f.bias[f.bias_of[channel]]
        observe_bias(f, row, channel)


@entry
def rates_of_circuits(circuits, fluids, rates):
    """Write the rates of pressures, then of spools, of circuits (k) to rates (k, v + u), SI units.

    At fluid.s, sd, p, U, U_in; supplies are of each circuit.
    """
    fluid = fluids[0]
    for k in range(circuits.size):
        circuit = circuits[k]
        for n in range(circuit.volumes, circuit.pressures):
            fluid.p[n] = circuit.supply_pressure[n]
        derivatives(circuit, fluid)
        for n in range(circuit.volumes):
            rates[k, n] = fluid.pd[n]
        for n in range(circuit.valves):
            rates[k, circuit.volumes + n] = fluid.Ud[n]
