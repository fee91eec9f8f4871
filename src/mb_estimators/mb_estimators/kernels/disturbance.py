"""The second stage of a kinematic filter: a disturbance observer of forces."""

from math import exp

from mb_model.jit import kernel
from mb_model.kernel_api import congruence, force_by_state, linearise


@kernel
def observe_disturbance(model, work, f, d):
    """Let d.force follow f.force, what inverse dynamics ask for beside the known forces.

    A lag of first order: over a time h by the share 1 - e^(-bandwidth h).  The force of a motion
    has the derivatives M_bar [-A, -B, I] by z, zd, zdd, with A and B of a model with that force,
    which work is; so the covariance follows from f.P.  The errors of successive motions belong
    together in a way not known here: the covariance of a mean is at most the mean of covariances.
    Source: Rodriguez et al. 2023, Sec. 8 (two-stage estimator).
    """
    g, by_state, product, covariance = model.g, f.matrix1, f.matrix2, f.matrix3
    linearise(model, work)
    force_by_state(work, g, by_state)
    congruence(by_state, f.P, g, 3 * g, product, covariance)
    share = 1.0 - exp(-d.bandwidth * d.elapsed)
    d.elapsed = 0.0
    for i in range(g):
        d.force[i] += share * (f.force[i] - d.force[i])
        for j in range(i + 1):
            d.covariance[i, j] += share * (covariance[i, j] - d.covariance[i, j])
            d.covariance[j, i] = d.covariance[i, j]
