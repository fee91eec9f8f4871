"""Acceleration problem: all accelerations from the independent ones, qdd = R zdd + S c."""


from mb_model.jit import also, kernel, separate
from mb_model.kernels.storage import apply_r, apply_s, rate_products
from mb_model.kernels.velocity import solve_velocity
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK


@also(SPARSE_MODEL, SPARSE_WORK)
@separate(MODEL, WORK)
def prepare_acceleration(model, work):
    """At work.q, qd, after prepare_velocity: write work.sc = S c.

    c = -phi_q_dot qd.  Source: Rodriguez et al. 2023, Eq. (19), where S c is R_dot zd.
    """
    c = work.c
    rate_products(model, work, c)
    for row in range(model.m):
        c[row] = -c[row]
    apply_s(model, work, c, work.sc)


@kernel
def apply_acceleration(model, work):
    """Write work.qdd = R zdd + S c from work.zdd, R, sc."""
    apply_r(model, work, work.zdd, work.qdd)
    for row in range(model.n):
        work.qdd[row] += work.sc[row]


@also(SPARSE_MODEL, SPARSE_WORK)
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
