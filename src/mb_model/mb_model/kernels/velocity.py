"""Velocity problem: all velocities from the independent ones, qd = R zd."""

from mb_model.kernels.storage import apply_r, prepare_velocity
from mb_model.record import MODEL, WORK
from mb_model.separate import separate


@separate(MODEL, WORK)
def solve_velocity(model, work):
    """Velocity problem: from work.q, zd write work.qd (and what prepare_velocity writes).

    Returns False at a singular position.
    """
    if prepare_velocity(model, work) == 0.0:
        return False
    apply_r(model, work, work.zd, work.qd)
    return True
