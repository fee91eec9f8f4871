"""Prediction of motion and oil by exponential integration: no masses, no forces."""

from mb_estimators.kernels.covariance import keep_positive
from mb_estimators.kernels.exponential_noise import move_on
from mb_estimators.kernels.hydraulic_state import load_fluid, settle
from mb_estimators.records.hydraulic import PASCAL
from mb_model.jit import entry, kernel
from mb_model.kernel_api import pressure_derivatives as derivatives


@entry
def predict_hydraulic(models, works, circuits, fluids, filters, hydraulics, h):
    """Move z, zd, zdd, pressures and spools on by h [s] under fluid.U_in; propagate P.

    The accelerations stay, but for noise.  Source: Pyrhonen et al. 2023b, Eqs. (18), (38), (40).
    The mechanism follows if its sensors ask for that; else kernels.hydraulic_state.settle does it.
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
