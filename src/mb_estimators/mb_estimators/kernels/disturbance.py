"""The second stage of a kinematic filter: a disturbance observer of forces."""

from math import exp

from mb_model.jit import kernel
from mb_model.kernel_api import linearise


@kernel
def observe_disturbance(model, work, f, d):
    """Let d.force follow f.force, what inverse dynamics ask for beside the known forces.

    A lag of first order: over a time h by the share 1 - e^(-bandwidth h).  The force of a motion
    has the derivatives M_bar [-A, -B, I] by z, zd, zdd, with A and B of a model with that force,
    which work is; so the covariance follows from f.P.  The errors of successive motions belong
    together in a way not known here: the covariance of a mean is at most the mean of covariances.
    Source: Rodriguez et al. 2023, Sec. 8 (two-stage estimator).
    """
    g, by_state, product = model.g, f.matrix1, f.matrix2
    linearise(model, work)
    for i in range(g):
        for j in range(g):
            by_state[i, j] = by_state[i, g + j] = 0.0
            by_state[i, 2 * g + j] = work.M_bar[i, j]
            for k in range(g):
                by_state[i, j] -= work.M_bar[i, k] * work.A[k, j]
                by_state[i, g + j] -= work.M_bar[i, k] * work.B[k, j]
    for i in range(g):
        for j in range(3 * g):
            product[i, j] = 0.0
            for k in range(3 * g):
                product[i, j] += by_state[i, k] * f.P[k, j]
    share = 1.0 - exp(-d.bandwidth * d.elapsed)
    d.elapsed = 0.0
    for i in range(g):
        d.force[i] += share * (f.force[i] - d.force[i])
        for j in range(i + 1):
            total = 0.0
            for k in range(3 * g):
                total += product[i, k] * by_state[j, k]
            d.covariance[i, j] += share * (total - d.covariance[i, j])
            d.covariance[j, i] = d.covariance[i, j]
