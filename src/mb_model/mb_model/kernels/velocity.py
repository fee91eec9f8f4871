"""Velocity problem: all velocities from the independent ones, qd = R zd + S b.

b = -phi_t comes from prescribed coordinates, see kernels.time.
"""


from mb_model.jit import also, kernel, separate
from mb_model.kernels.storage import apply_r, apply_s, prepare_velocity
from mb_model.kernels.time import add_driven
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK


@kernel
def add_driven_velocities(model, work, out):
    """Add S b to out (n), with the rates of the driven entries of work.qd; needs work.factor."""
    b, moved = work.b, work.sb
    for row in range(model.m):
        b[row] = 0.0
    add_driven(model, work.qd, 1.0, b)
    apply_s(model, work, b, moved)
    for row in range(model.n):
        out[row] += moved[row]


@also(SPARSE_MODEL, SPARSE_WORK)
@separate(MODEL, WORK)
def solve_velocity(model, work):
    """Velocity problem: from work.q, zd write work.qd (and what prepare_velocity writes).

    Returns False at a singular position.
    """
    if prepare_velocity(model, work) == 0.0:
        return False
    apply_r(model, work, work.zd, work.qd)
    if model.driven > 0:
        add_driven_velocities(model, work, work.qd)
    return True
