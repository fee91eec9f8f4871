"""Generalized momentum of the degrees of freedom, and its rate."""


from mb_model.jit import kernel
from mb_model.kernel_api import apply_s_transposed, rates_along

_rates_along = rates_along


@kernel
def momentum(model, work, out, rate):
    """After inverse_dynamics: write the momentum M_bar zd and its known rate (g).

    out = R^T M qd; rate = C^T zd + R^T Q, where C = R^T M R_dot, so that d(M_bar)/dt = C + C^T and
    the momentum's rate is this plus all forces that are not in Q, without any accelerations.  By
    phi_q_dot R + phi_q R_dot = 0: C^T zd = -R^T phi_q_dot^T S^T M qd.
    Source: Mohammad et al. 2025, Eqs. (2), (3).
    """
    moving, pulled, directions = work.vector1, work.vector2, work.directions
    for row in range(model.n):
        moving[row] = 0.0
        for k in range(model.g):
            moving[row] += work.M_R[row, k] * work.zd[k]
    apply_s_transposed(model, work, moving, pulled)
    for k in range(model.g):
        for row in range(model.n_total):
            directions[k, row] = work.R[row, k]
    _rates_along(model, work)
    for k in range(model.g):
        out[k] = rate[k] = bend = 0.0
        for row in range(model.n):
            out[k] += directions[k, row] * moving[row]
            rate[k] += directions[k, row] * work.Q[row]
        for row in range(model.m):
            bend += pulled[row] * work.rates[k, row]
        rate[k] -= bend


@kernel
def turn_with_bodies(work, drives, momentum, rate):
    """Make the rate (g) that of momenta in frames that turn with their bodies.

    zd of an orientation at its reference is the angular velocity w in the body's frame; away from
    it, w = (1 - s^ / 2 + ...) ds/dt.  The rate of the momentum of s is there; the momentum L along
    the body's axes changes by -w x L / 2 more, as in Euler's equations of a free body, where half
    of -w x L is in the rate already.
    """
    for k in range(drives.turns):
        turn = drives.turn[k]
        for axis in range(3):
            i, j = turn[(axis + 1) % 3], turn[(axis + 2) % 3]
            rate[turn[axis]] -= 0.5 * (work.zd[i] * momentum[j] - work.zd[j] * momentum[i])
