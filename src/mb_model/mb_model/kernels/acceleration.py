"""Acceleration problem: all accelerations from the independent ones, qdd = R zdd + S c."""

from numba import njit

from mb_model.kernels.constraints import second
from mb_model.kernels.velocity import apply_r, apply_s, solve_velocity
from mb_model.record import MODEL, WORK
from mb_model.separate import separate


@separate(MODEL, WORK)
def prepare_acceleration(model, work):
    """At work.q, qd, after prepare_velocity: write work.phi_q_dot and sc = S c.

    c = -phi_q_dot qd.  Source: Rodriguez et al. 2023, Eq. (19), where S c is R_dot zd.
    """
    second(model, work.q, work.qd, work.phi_q_dot)
    c = work.vector1
    for row in range(model.m):
        total = 0.0
        for column in range(model.n):
            total -= work.phi_q_dot[row, column] * work.qd[column]
        c[row] = total
    apply_s(model, work, c, work.sc)


@njit(cache=True)
def apply_acceleration(model, work):
    """Write work.qdd = R zdd + S c from work.zdd, R, sc."""
    apply_r(model, work.R, work.zdd, work.qdd)
    for row in range(model.n):
        work.qdd[row] += work.sc[row]


@separate(MODEL, WORK)
def solve_acceleration(model, work):
    """Velocity and acceleration problems: from work.q, zd, zdd write work.qd, R, sc, qdd.

    Returns False at a singular position.
    """
    if not solve_velocity(model, work):
        return False
    prepare_acceleration(model, work)
    apply_acceleration(model, work)
    return True
