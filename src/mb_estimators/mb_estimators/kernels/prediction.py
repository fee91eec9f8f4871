"""Predictions of the multibody model, and of a covariance by the simple transition."""

from mb_estimators.kernels.covariance import propagate_simple
from mb_estimators.records.filter import FILTER
from mb_model.jit import entry, separate
from mb_model.kernel_api import forward_dynamics, index3_al_step, reach_position, set_time
from mb_model.record import MODEL, WORK

_step = index3_al_step


@entry
def predict_index3(models, works, filters, h):
    """Step the model by h [s] with the index-3 formulation; propagate P by the simple f_x.

    Source: errorEKF, Rodriguez et al. 2023, Eqs. (69), (70).  Returns False if the model cannot.
    """
    model, work, f = models[0], works[0], filters[0]
    if _step(model, work, h) < 0:
        return False
    propagate_simple(f, model.g, h)
    return True


@entry
def predict_euler(models, works, filters, h):
    """Step z, zd by forward Euler over h [s], matrix-R dynamics; propagate P by the simple f_x.

    Source: DEKF, Rodriguez et al. 2023, Eqs. (47), (49).  Returns False if the model cannot.
    """
    model, work, f = models[0], works[0], filters[0]
    for k in range(model.g):
        f.dx[k], f.dx[model.g + k] = h * work.zd[k], h * work.zdd[k]
    set_time(model, work, work.t + h)
    if not advance_independent(model, work, f.dx):
        return False
    propagate_simple(f, model.g, h)
    return True


@separate(MODEL, WORK, FILTER['dx'])
def advance_independent(model, work, dx):
    """Add dx to z, zd; solve the position problem and the dynamics; return whether that works.

    Prescribed coordinates go to where they are at work.t.
    """
    for k in range(model.g):
        work.z[k] += dx[k]
        work.zd[k] += dx[model.g + k]
    return reach_position(model, work) and forward_dynamics(model, work)
