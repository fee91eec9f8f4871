"""Accelerations that jumped, as when a load is let go: readings that only seem incredible."""

from numba import int64

from mb_estimators.kernels.gain import kalman_gain
from mb_estimators.kernels.gate import is_credible
from mb_estimators.records.filter import FILTER
from mb_model.jit import kernel, separate
from mb_model.kernel_api import cholesky_factor, cholesky_solve


@kernel
def _is_incredible(f, residual):
    """Return whether a residual (k) is incredible in some channel."""
    incredible = False
    for a in range(f.count):
        incredible |= not is_credible(f, residual[a], f.residual_covariance[a, a])
    return incredible


@kernel
def _fit(f, g):
    """After kalman_gain: write the jump (g) that fits the residual best, f.dx; False without one.

    With the columns P_a (l, g) of the accelerations in P, their rows K_a (g, k) in the gain, and
    S the covariance of the residual r: (P_a^T H^T S^-1 H P_a) u = P_a^T H^T S^-1 r is
    (K_a H P_a) u = K_a r, and K_a r the correction of the accelerations.  Leaves H P_a, transposed.
    """
    effects, normal = f.jump_effects, f.product
    for k in range(g):
        f.dx[k] = f.dx[2 * g + k]
        for a in range(f.count):
            effects[k, a] = 0.0
            for i in range(f.states):
                effects[k, a] += f.H[a, i] * f.P[i, 2 * g + k]
    for k in range(g):
        for i in range(k + 1):
            normal[k, i] = 0.0
            for a in range(f.count):
                normal[k, i] += f.gain[2 * g + k, a] * effects[i, a]
    if not cholesky_factor(normal, g):
        return False
    cholesky_solve(normal, f.dx, g)
    return True


@separate(FILTER, int64)
def allow_for_jump(f, g):
    """Widen f.P by a jump of the accelerations if that makes incredible readings credible.

    What a jump u (g) has done to all states by now is taken to be P_a u, P_a (l, g) being the
    columns of the accelerations in P: noise of the accelerations made them what they are, as a
    jump would.  u is fitted to the residual r by generalised least squares.  If that leaves no
    channel of r - H P_a u beyond the gate, as where two pressures and an encoder agree on a jump,
    P becomes P + P_a u (P_a u)^T.  A sensor that is wrong alone is not explained so, and nothing
    changes.  There must be more readings than accelerations.
    Source: the generalised likelihood ratio of a jump, Willsky and Jones 1976.
    """
    if not f.gate > 0.0 or f.count <= g or not kalman_gain(f):
        return
    if not _is_incredible(f, f.residual) or not _fit(f, g):
        return
    for a in range(f.count):
        f.weighted[a] = f.residual[a]
        for k in range(g):
            f.weighted[a] -= f.jump_effects[k, a] * f.dx[k]
    if _is_incredible(f, f.weighted):
        return
    for i in range(f.states):
        f.jump[i] = 0.0
        for k in range(g):
            f.jump[i] += f.P[i, 2 * g + k] * f.dx[k]
    for i in range(f.states):
        for j in range(f.states):
            f.P[i, j] += f.jump[i] * f.jump[j]
