"""Mechanism and oil as one system at the states of a filter, with exact derivatives.

    x = (z, zd, p, U, w, log of factors of the oil, s)
    f = (zd, zdd(z, zd, forces of the cylinders + w, s), pd, Ud, -decay w, 0, 0)
"""

from math import exp, sqrt

from mb_estimators.kernels.motion_observation import settle_position
from mb_estimators.kernels.parameters import value_by_s
from mb_estimators.records.filter import FILTER
from mb_estimators.records.oil import COUPLED, HYDRAULIC, PASCAL
from mb_estimators.records.parameter import AUGMENTED, PARAMETERS
from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import (
    cholesky_solve,
    model_change,
    oil_by_parameter,
    parameter_derivative,
    prepare_derivatives,
    pressure_derivatives,
    push_cylinders,
    scale_oil,
    solve_accelerations,
    solve_velocity,
    write_coupled_jacobian,
)
from mb_model.record import MODEL, WORK
from mb_model.record.hydraulics import CIRCUIT, FLUID


@separate(MODEL, WORK, CIRCUIT, FLUID, FILTER, HYDRAULIC, COUPLED)
def settle_coupled(model, work, circuit, fluid, f, y, c):
    """Put mechanism and oil where f.x is: q, qd, zdd, qdd, forces of the cylinders.

    Returns False, positions as they were, if the mechanism has no such position.
    """
    first = 2 * model.g
    y.solved = 0
    for n in range(circuit.volumes):
        fluid.p[n] = PASCAL * f.x[first + n]
    for k in range(circuit.valves):
        fluid.U[k] = f.x[first + circuit.volumes + k]
    # settle_position takes accelerations from f.x, too; the dynamics replace them.
    if not settle_position(model, work, f) or not solve_velocity(model, work):
        return False
    push_cylinders(model, work, circuit, fluid)
    for k in range(circuit.cylinders):
        work.coordinate_forces[circuit.coordinate[k]] += c.unit[k] * f.x[c.force + k]
    y.solved = 1 if solve_accelerations(model, work) else 0
    return y.solved == 1


@separate(CIRCUIT, CIRCUIT, FLUID, FILTER, COUPLED)
def change_oil(circuit, nominal, fluid, f, c):
    """Give a circuit the parameters that f.x has, as factors of the nominal one's."""
    for k in range(c.count):
        scale_oil(circuit, nominal, fluid, c.kind[k], c.index[k], exp(f.x[c.first + k]))


@kernel
def _unit(circuit, i, g):
    """Return what one of a state of z, zd, p, U is in SI units."""
    return PASCAL if 2 * g <= i < 2 * g + circuit.volumes else 1.0


@kernel
def _write_core(model, work, circuit, fluid, y):
    """Write the rows and columns of z, zd, p, U, from fluid.jacobian."""
    g, size = model.g, 2 * model.g + circuit.volumes + circuit.valves
    for i in range(size):
        for j in range(size):
            y.A[i, j] = fluid.jacobian[i, j] * _unit(circuit, j, g) / _unit(circuit, i, g)
    for k in range(g):
        y.rates[k], y.rates[g + k] = work.zd[k], work.zdd[k]
    for n in range(circuit.volumes):
        y.rates[2 * g + n] = fluid.pd[n] / PASCAL
    for k in range(circuit.valves):
        y.rates[2 * g + circuit.volumes + k] = fluid.Ud[k]


@kernel
def _surely_moves(model, work, circuit, fluid, f, k):
    """Return whether a cylinder is faster than its transition velocity by two deviations at least.
    """
    g, row, variance = model.g, circuit.coordinate[k], 0.0
    for i in range(g):
        for j in range(g):
            variance += work.R[row, i] * f.P[g + i, g + j] * work.R[row, j]
    return abs(fluid.sd[k]) > circuit.transition_velocity[k] + 2.0 * sqrt(variance)


@kernel
def _write_force_errors(model, work, circuit, fluid, f, y, c):
    """Write c.pushed, and rows, columns and noise of the errors of the cylinders' forces.

    A friction that the model has wrong: while the piston moves it comes back to zero; while it
    stands, friction holds whatever force there is, and the error walks randomly.
    """
    g = model.g
    for k in range(circuit.cylinders):
        state, row = c.force + k, circuit.coordinate[k]
        for i in range(g):
            c.pushed[k, i] = work.R[row, i]
        cholesky_solve(work.M_bar_factor, c.pushed[k], g)
        for i in range(g):
            y.A[g + i, state] = c.pushed[k, i] * c.unit[k]
        c.moves[k] = 1 if _surely_moves(model, work, circuit, fluid, f, k) else 0
        y.A[state, state] = -c.decay if c.moves[k] == 1 else 0.0
        y.rates[state] = y.A[state, state] * f.x[state]
        y.psd[state] = c.moving_psd if c.moves[k] == 1 else c.still_psd


@kernel
def _write_oil_parameters(model, circuit, fluid, y, c):
    """Write the columns of the parameters of the oil, after c.pushed."""
    g = model.g
    for a in range(c.count):
        oil_by_parameter(circuit, fluid, c.kind[a], c.index[a], c.pd[:], c.by_force[:])
        for n in range(circuit.volumes):
            y.A[2 * g + n, c.first + a] = c.pd[n] / PASCAL
        for i in range(g):
            y.A[g + i, c.first + a] = 0.0
            for k in range(circuit.cylinders):
                if c.moves[k] == 1:
                    y.A[g + i, c.first + a] += c.pushed[k, i] * c.by_force[k]


@kernel
def _write_parameters(model, work, parameters, y, e):
    """Write the columns of the parameters of the model: accelerations alone depend on them."""
    if e.count == 0:
        return
    prepare_derivatives(model, work)
    for a in range(e.count):
        model_change(model, work, parameters[a])
        parameter_derivative(model, work)
        rate = value_by_s(parameters, e, a)
        for i in range(model.g):
            y.A[model.g + i, e.first + a] = work.zdd_parameter[i] * rate


@separate(MODEL, WORK, CIRCUIT, FLUID, FILTER, HYDRAULIC, COUPLED, PARAMETERS, AUGMENTED)
def bring_up_to_date(model, work, circuit, fluid, f, y, c, parameters, e):
    """Settle mechanism and oil at f.x if they are elsewhere; write y.rates, y.A, psd, c.zdd_x.

    Elements of y.A that are not written are zero for good.  Returns False where the mechanism has
    no position.
    """
    if y.solved == 1:
        return True
    if not settle_coupled(model, work, circuit, fluid, f, y, c):
        return False
    pressure_derivatives(circuit, fluid)
    write_coupled_jacobian(model, work, circuit, fluid)
    _write_core(model, work, circuit, fluid, y)
    _write_force_errors(model, work, circuit, fluid, f, y, c)
    _write_oil_parameters(model, circuit, fluid, y, c)
    _write_parameters(model, work, parameters, y, e)
    for k in range(model.g):
        for j in range(f.motion):
            c.zdd_x[k, j] = y.A[model.g + k, j]
    return True


@entry
def restart_oil(circuits, nominals, fluids, filters, hydraulics, coupleds):
    """Give the circuit the parameters of f.x; what is up to date no longer is."""
    change_oil(circuits[0], nominals[0], fluids[0], filters[0], coupleds[0])
    hydraulics[0].solved = 0


@entry
def report_coupled(models, works, circuits, fluids, filters, hydraulics, coupleds, parameters,
                   estimated):
    """Do as bring_up_to_date, over arrays of one record each."""
    return bring_up_to_date(models[0], works[0], circuits[0], fluids[0], filters[0],
                            hydraulics[0], coupleds[0], parameters, estimated[0])
