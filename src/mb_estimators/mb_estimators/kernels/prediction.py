"""Predictions of the multibody model and of the covariance of its z, zd."""

from mb_model.kernels import index3_al
from mb_model.kernels.matrix_r import forward_dynamics
from mb_model.kernels.position import SOLVED, follow_position, solve_position
from numba import njit

from mb_estimators.kernels.covariance import propagate_simple

_step = index3_al.step
_SMALL = 0.05             # move of a degree of freedom, in radians or sizes of the mechanism


@njit(cache=True)
def predict_index3(models, works, filters, h):
    """Step the model by h [s] with the index-3 formulation; propagate P by the simple f_x.

    Source: errorEKF, Rodriguez et al. 2023, Eqs. (69), (70).  Returns False if the model cannot.
    """
    model, work, f = models[0], works[0], filters[0]
    if _step(model, work, h) < 0:
        return False
    propagate_simple(f, model.g, h)
    return True


@njit(cache=True)
def predict_euler(models, works, filters, h):
    """Step z, zd by forward Euler over h [s], matrix-R dynamics; propagate P by the simple f_x.

    Source: DEKF, Rodriguez et al. 2023, Eqs. (47), (49).  Returns False if the model cannot.
    """
    model, work, f = models[0], works[0], filters[0]
    largest = 0.0
    for k in range(model.g):
        move = h * work.zd[k]
        work.z[k] += move
        work.zd[k] += h * work.zdd[k]
        largest = max(largest, abs(move) / model.scale[model.independent[k]])
    if not largest < _SMALL or solve_position(model, work) != SOLVED:
        status, done = follow_position(model, work)
        if status != SOLVED or done < 1.0:
            return False
    if not forward_dynamics(model, work):
        return False
    propagate_simple(f, model.g, h)
    return True
