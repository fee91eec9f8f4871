"""Linearisation of a mechanism and its sensors along a recorded motion."""

from mb_estimators.kernels.motion_observation import list_present, observe_motion
from mb_estimators.kernels.observation import observe
from mb_estimators.kernels.start import start
from mb_model.jit import entry
from mb_model.kernel_api import force_derivative


@entry
def linearise_along(models, works, channels, filters, readings, q, zd, A, B, by_force, H):
    """Write A = dzdd/dz, B = dzdd/dzd, dzdd/dforce (k, g, g) and H (k, channels, 3g).

    For positions q (k, n), solved, and velocities zd (k, g).  H is by z, zd and an acceleration
    beside the dynamics', as for filters with 3g states; readings (channels): finite ones.
    Returns the number of the first singular position, or -1.
    """
    model, work, f = models[0], works[0], filters[0]
    g = model.g
    for k in range(q.shape[0]):
        for i in range(model.n):
            work.q[i] = q[k, i]
        for i in range(g):
            work.zd[i] = zd[k, i]
        if not start(models, works):
            return k
        force_derivative(model, work, by_force[k])
        for i in range(g):
            for j in range(g):
                A[k, i, j], B[k, i, j] = work.A[i, j], work.B[i, j]
        if not observe(model, work, channels, f, readings):
            return k
        for row in range(channels.size):
            for j in range(3 * g):
                H[k, row, j] = f.H[row, j]
    return -1


@entry
def observe_along(models, works, channels, filters, readings, q, zd, zdd, H):
    """Write H (k, channels, 3g) by z, zd, zdd at positions q (k, n), solved, zd and zdd (k, g).

    readings (channels): finite ones.  Returns the number of the first singular position, or -1.
    """
    model, work, f = models[0], works[0], filters[0]
    g = model.g
    list_present(f, readings)
    for k in range(q.shape[0]):
        for i in range(model.n):
            work.q[i] = q[k, i]
        for i in range(g):
            work.zd[i], work.zdd[i] = zd[k, i], zdd[k, i]
        if not observe_motion(model, work, channels, f, readings):
            return k
        for row in range(channels.size):
            for j in range(3 * g):
                H[k, row, j] = f.H[row, j]
    return -1
