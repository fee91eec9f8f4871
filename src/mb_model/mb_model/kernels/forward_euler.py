"""Forward Euler in the independent coordinates."""

from numba import njit

from mb_model.kernels.matrix_r import forward_dynamics
from mb_model.kernels.position import SOLVED, solve_position
from mb_model.kernels.step_state import keep_independent, restore_independent


@njit(cache=True)
def step(model, work, h):
    """z += h zd; zd += h zdd, both of the start; then position problem and dynamics.

    Returns False, the state unchanged, where the mechanism does not close or is singular.
    """
    keep_independent(model, work)
    for k in range(model.g):
        work.z[k] += h * work.zd[k]
        work.zd[k] += h * work.zdd[k]
    if solve_position(model, work) == SOLVED and forward_dynamics(model, work):
        return True
    restore_independent(model, work)
    return False
