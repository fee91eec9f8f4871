"""Mechanism and oil where the states of a hydraulic filter are, and what is reported of them."""


from mb_estimators.kernels.motion_state import settle_position
from mb_estimators.records.filter import FILTER
from mb_estimators.records.hydraulic import HYDRAULIC, PASCAL
from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import cylinder_forces as forces, solve_acceleration
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
