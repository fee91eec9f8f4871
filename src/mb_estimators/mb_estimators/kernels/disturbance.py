"""The second stage of a kinematic filter: a disturbance observer or an EKF of forces."""

from math import exp, isinf

from mb_model.jit import kernel
from mb_model.kernel_api import (
    cholesky_factor,
    cholesky_solve,
    congruence,
    force_by_state,
    linearise,
)


@kernel
def observe_disturbance(model, work, f, d):
    """Let d.force follow f.force, what inverse dynamics ask for beside the known forces.

    With d.filters by an EKF, see _filter_forces; else by a lag of first order: over a time h by the
    share 1 - e^(-bandwidth h).  The force of a motion has the derivatives M_bar [-A, -B, I] by z,
    zd, zdd, with A and B of a model with that force, which work is; so the covariance follows from
    f.P.  The errors of successive motions belong together in a way not known here: the covariance
    of a mean is at most the mean of covariances.
    Source: Rodriguez et al. 2023, Sec. 8 (two-stage estimator).
    """
    g, by_state, product, covariance = model.g, f.matrix1, f.matrix2, f.matrix3
    linearise(model, work)
    force_by_state(work, g, by_state)
    congruence(by_state, f.P, g, 3 * g, product, covariance)
    if d.filters == 1:
        return _filter_forces(g, f, covariance, d)
    share = 1.0 - exp(-d.bandwidth * d.elapsed)
    d.elapsed = 0.0
    for i in range(g):
        d.force[i] += share * (f.force[i] - d.force[i])
        for j in range(i + 1):
            d.covariance[i, j] += share * (covariance[i, j] - d.covariance[i, j])
            d.covariance[j, i] = d.covariance[i, j]
    return True


@kernel
def _filter_forces(g, f, noise, d):
    """Correct forces that walk randomly by f.force, a reading of them with a covariance (g, g).

    The first reading is the start.  Errors of successive motions are taken for white, as in the
    source.  Source: Rodriguez et al. 2023, Sec. 8 [42].  Returns False if the covariance is not
    positive definite.
    """
    first = isinf(d.elapsed)
    for i in range(g):
        if not first:
            d.covariance[i, i] += d.walk * d.elapsed
        for j in range(g):
            if first:
                d.covariance[i, j] = noise[i, j]
            d.total[i, j] = d.covariance[i, j] + noise[i, j]
            d.factor[i, j] = d.total[i, j]
        d.innovation[i] = f.force[i] - d.force[i]
    d.elapsed = 0.0
    if first:
        for i in range(g):
            d.force[i] = f.force[i]
        return True
    if not cholesky_factor(d.factor, g):
        return False
    for i in range(g):
        for j in range(g):
            d.gain[i, j] = d.covariance[i, j]
        cholesky_solve(d.factor, d.gain[i], g)      # a row of P (P + N)^-1, both symmetric
    for i in range(g):
        for j in range(g):
            d.force[i] += d.gain[i, j] * d.innovation[j]
            d.corrected[i, j] = 0.0
            for k in range(g):
                d.corrected[i, j] += d.gain[i, k] * noise[k, j]
    for i in range(g):
        for j in range(g):
            d.covariance[i, j] = 0.5 * (d.corrected[i, j] + d.corrected[j, i])
    return True
