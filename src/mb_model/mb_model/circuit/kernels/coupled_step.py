"""A step of mechanism and oil together, as one system of ordinary differential equations.

    x = (z, zd, p, U),    f = (zd, zdd(z, zd, forces of the cylinders), pd, Ud)

zdd is by the matrix-R formulation.
"""

from math import nan

from numba import float64

from mb_model.circuit.kernels.cylinder import forces
from mb_model.circuit.kernels.fluid_step import (
    copy_fluid_derivatives,
    copy_fluid_rates,
    keep_fluid,
    move_fluid,
)
from mb_model.circuit.kernels.pressure import derivatives, rates
from mb_model.circuit.kernels.rosenbrock import factor, first_increment, second_increment
from mb_model.jit import kernel, separate
from mb_model.kernels.linear_algebra import cholesky_solve
from mb_model.kernels.linearisation import linearise
from mb_model.kernels.matrix_r import solve_accelerations
from mb_model.kernels.position import SOLVED, solve_position
from mb_model.kernels.step_state import (
    expect,
    forces_changed,
    keep_independent,
    restore_independent,
)
from mb_model.kernels.time import set_time
from mb_model.kernels.velocity import solve_velocity
from mb_model.record import MODEL, WORK
from mb_model.record.hydraulics import CIRCUIT, FLUID


@separate(MODEL, WORK, CIRCUIT, FLUID)
def push(model, work, circuit, fluid):
    """At work.q, qd (solved) let the cylinders act: fluid.s, sd, forces, work.coordinate_forces."""
    for k in range(circuit.cylinders):
        row = circuit.coordinate[k]
        fluid.s[k], fluid.sd[k] = work.q[row], work.qd[row]
    forces(circuit, fluid)
    for k in range(circuit.cylinders):
        work.coordinate_forces[circuit.coordinate[k]] = fluid.force[k] + fluid.stop_force[k]


@separate(MODEL, WORK, CIRCUIT, FLUID)
def evaluate(model, work, circuit, fluid):
    """At work.z, zd, near work.q, with fluid.p: write q, qd, zdd, qdd, the forces of cylinders.

    Returns False where the mechanism does not close or is singular.
    """
    if solve_position(model, work) != SOLVED or not solve_velocity(model, work):
        return False
    push(model, work, circuit, fluid)
    return solve_accelerations(model, work)


@kernel
def _write_rates(model, work, circuit, fluid):
    """Write fluid.rate = f of the present state, after evaluate."""
    g = model.g
    for k in range(g):
        fluid.rate[k], fluid.rate[g + k] = work.zd[k], work.zdd[k]
    copy_fluid_rates(circuit, fluid, 2 * g)


@kernel
def _write_mechanism_rows(model, work, fluid, states):
    """Write the rows of z and zd of the Jacobian, after linearise; cylinders held constant."""
    g = model.g
    for i in range(g):
        for j in range(states):
            fluid.jacobian[i, j] = fluid.jacobian[g + i, j] = 0.0
        fluid.jacobian[i, g + i] = 1.0
        for j in range(g):
            fluid.jacobian[g + i, j], fluid.jacobian[g + i, g + j] = work.A[i, j], work.B[i, j]


@kernel
def _add_cylinder(model, work, circuit, fluid, k):
    """Add to the Jacobian what changes zdd through the force of cylinder k."""
    g, row, pushed = model.g, circuit.coordinate[k], fluid.column
    for i in range(g):
        pushed[i] = work.R[row, i]
    cholesky_solve(work.M_bar_factor, pushed, g)
    by_s, by_sd = fluid.stop_force_s[k], fluid.force_sd[k] + fluid.stop_force_sd[k]
    for i in range(g):
        for j in range(g):
            along = work.R[row, j]
            fluid.jacobian[g + i, j] += pushed[i] * (by_s * along + by_sd * work.qd_z[row, j])
            fluid.jacobian[g + i, g + j] += pushed[i] * by_sd * along
        for n in range(circuit.volumes):
            fluid.jacobian[g + i, 2 * g + n] += pushed[i] * fluid.force_p[k, n]


@kernel
def _write_pressure_rows(model, work, circuit, fluid):
    """Write the columns of z and zd in the rows of p of the Jacobian."""
    g = model.g
    for n in range(circuit.volumes):
        for j in range(g):
            by_z, by_zd = 0.0, 0.0
            for k in range(circuit.cylinders):
                row = circuit.coordinate[k]
                by_z += (fluid.pd_s[n, k] * work.R[row, j]
                         + fluid.pd_sd[n, k] * work.qd_z[row, j])
                by_zd += fluid.pd_sd[n, k] * work.R[row, j]
            fluid.jacobian[2 * g + n, j], fluid.jacobian[2 * g + n, g + j] = by_z, by_zd


@separate(MODEL, WORK, CIRCUIT, FLUID)
def write_jacobian(model, work, circuit, fluid):
    """After evaluate and derivatives: write fluid.jacobian = df/dx, exact."""
    linearise(model, work)
    _write_mechanism_rows(model, work, fluid, 2 * model.g + circuit.volumes + circuit.valves)
    for k in range(circuit.cylinders):
        _add_cylinder(model, work, circuit, fluid, k)
    _write_pressure_rows(model, work, circuit, fluid)
    copy_fluid_derivatives(circuit, fluid, 2 * model.g)


@separate(MODEL, WORK, CIRCUIT, FLUID, float64, float64, float64)
def _move(model, work, circuit, fluid, a, b, time):
    """Evaluate x = x0 + a k1 + b k2, a time after the start; return whether that is possible."""
    g = model.g
    set_time(model, work, work.t0 + time)
    expect(model, work, 0, time)
    for k in range(g):
        work.z[k] = fluid.x0[k] + a * fluid.k1[k] + b * fluid.k2[k]
        work.zd[k] = fluid.x0[g + k] + a * fluid.k1[g + k] + b * fluid.k2[g + k]
        work.q[model.independent[k]] = work.z[k]
    return (move_fluid(circuit, fluid, 2 * g, a, b)
            and evaluate(model, work, circuit, fluid))


@separate(MODEL, WORK, CIRCUIT, FLUID, float64)
def step(model, work, circuit, fluid, h):
    """Advance mechanism and oil by h [s] with the scheme of rosenbrock.

    Returns False, the state unchanged, where the mechanism cannot go on, or a pressure would not
    stay above zero: there shorter steps do it.
    """
    g, states = model.g, 2 * model.g + circuit.volumes + circuit.valves
    keep_independent(model, work)
    keep_fluid(circuit, fluid, 2 * g)
    for k in range(g):
        fluid.x0[k], fluid.x0[g + k] = work.z[k], work.zd[k]
    if not forces_changed(model, work) or evaluate(model, work, circuit, fluid):
        derivatives(circuit, fluid)
        write_jacobian(model, work, circuit, fluid)
        _write_rates(model, work, circuit, fluid)
        if factor(fluid, h, states):
            first_increment(fluid, states)
            if _move(model, work, circuit, fluid, h, 0.0, h):
                rates(circuit, fluid)
                _write_rates(model, work, circuit, fluid)
                second_increment(fluid, states)
                if _move(model, work, circuit, fluid, 1.5 * h, 0.5 * h, h):
                    return True
    restore_independent(model, work)
    move_fluid(circuit, fluid, 2 * g, 0.0, 0.0)
    push(model, work, circuit, fluid)
    work.forces_used[0] = nan      # what else is in work belongs to another state
    return False
