"""Exponential integrator in the independent coordinates, by the series of a low order."""

from numba import float64, int64

from mb_model.integration.dynamics import accelerations
from mb_model.jit import entry, separate
from mb_model.kernels.linearisation import linearise
from mb_model.kernels.step_state import (
    expect,
    forces_changed,
    keep_independent,
    restore_independent,
)
from mb_model.kernels.time import set_time
from mb_model.record import MODEL, WORK


@separate(MODEL, WORK, float64, int64, int64)
def step(model, work, h, formulation, order):
    """X += h Psi f, with X = (z, zd), f = (zd, zdd), F = [0, I; A, B] of the start.

        Psi = sum over n = 0 ... order of (h F)^n / (n + 1)!

    Order 0 is forward Euler, Eqs. (41) and (42).  Source: Pyrhonen et al. 2023a, Eqs. (22)-(27).
    For formulations of the degrees of freedom: they leave what linearise reads, so work must come
    from the step before.  Returns False, the state unchanged, where the mechanism does not close
    or is singular.
    """
    keep_independent(model, work)
    if forces_changed(model, work) and not accelerations(model, work, formulation):
        restore_independent(model, work)
        return False
    if order > 0:
        linearise(model, work)
    by_z, by_zd, by_zdd = work.series_z, work.series_zd, work.series_zdd    # (h F)^n f / (n + 1)!
    for k in range(model.g):
        by_z[k], by_zd[k] = work.zd[k], work.zdd[k]
    for n in range(order + 1):
        for k in range(model.g):
            work.z[k] += h * by_z[k]
            work.zd[k] += h * by_zd[k]
        for k in range(model.g):
            by_zdd[k] = 0.0
            for j in range(model.g):
                by_zdd[k] += work.A[k, j] * by_z[j] + work.B[k, j] * by_zd[j]
        for k in range(model.g):
            by_z[k], by_zd[k] = h / (n + 2) * by_zd[k], h / (n + 2) * by_zdd[k]
    set_time(model, work, work.t0 + h)
    expect(model, work, 0, h)
    for k in range(model.g):
        coordinate = model.independent[k]
        work.q[coordinate], work.qd[coordinate] = work.z[k], work.zd[k]
    if accelerations(model, work, formulation):
        return True
    restore_independent(model, work)
    return False


@entry
def step_exponential_series(models, works, h, formulation, order):
    """See step."""
    return step(models[0], works[0], h, formulation, order)
