"""Predictions of the multibody model, and of a covariance by the exact derivatives of the step.

Apart from simple ones, which most processes need alone: a kernel is compiled where it is imported.
"""

from numba import float64

from mb_estimators.kernels.covariance import (
    add_acceleration_noise,
    add_acceleration_walk,
    keep_positive,
    propagate,
)
from mb_estimators.kernels.transition import (
    accumulate_transition,
    end_sub_steps,
    is_stiff,
    linear_transition,
    what_is_left,
)
from mb_estimators.records.filter import FILTER
from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import (
    MATRIX_R,
    cholesky_solve,
    forward_dynamics,
    index3_al_step,
    linearise,
    rosenbrock_substep as substep,
    solve_multipliers,
)
from mb_model.record import MODEL, WORK

_step = index3_al_step


@entry
def predict_index3_exact(models, works, filters, h):
    """Step the model by h [s] with the index-3 formulation; propagate P by the exact f_x.

    The derivatives of the accelerations are those at the start of the step.
    Source: errorEKF_EJ and errorEKF_FE, Rodriguez et al. 2023, Secs. 7.2, 7.3.
    The trapezoidal rule is stable with any spring, but loses the phase of vibrations faster than
    the step: while kernels.transition.is_stiff, the model goes by exponential sub-steps instead.
    Returns False if the model cannot.
    """
    model, work, f = models[0], works[0], filters[0]
    if not forward_dynamics(model, work):
        return False
    linearise(model, work)
    if is_stiff(model, work, h):
        return _predict_stiff(model, work, f, h)
    linear_transition(model, work, f, h)
    if _step(model, work, h) < 0:
        return False
    propagate(f)
    _add_noise(f, model.g, h)
    return keep_positive(f)


@kernel
def _add_noise(f, g, h):
    """Add the plant noise of states z, zd, or of z, zd and acceleration errors, to P."""
    if f.motion == 3 * g:
        add_acceleration_walk(f.P, f.acceleration_walk, g, h)
    else:
        add_acceleration_noise(f.P, f.acceleration_psd, g, h)


@separate(MODEL, WORK, FILTER, float64)
def _predict_stiff(model, work, f, h):
    """Step model and P in exponential sub-steps; leave the transition of all in f.transition."""
    t, left, proposed = work.t, h, h
    while left > 0.0:
        done, proposed = substep(model, work, left, proposed, h, MATRIX_R)
        if done == 0.0:
            return False
        linear_transition(model, work, f, done)
        propagate(f)
        _add_noise(f, model.g, done)
        accumulate_transition(f, left == h)
        left = what_is_left(left, done)
    end_sub_steps(model, work, t + h)
    return keep_positive(f)


@entry
def keep_force(models, works, filters):
    """After predict_index3_exact: let the acceleration errors of f.P come from the same force.

    error_ekf_fe lets them stay in a step (Rodriguez et al. 2023, Eq. (79)), while the model keeps
    the force: M_bar error is constant, and so error' = M_bar'^-1 M_bar error.  To a filter of
    parameters, the difference of the two looks like an effect of parameters.
    Needs M_bar of the start of the step (after exponential sub-steps it is already of the end, so
    that the errors stay); returns False if the dynamics have no solution at its end.
    """
    model, work, f = models[0], works[0], filters[0]
    g, M_bar = model.g, f.left
    for i in range(g):
        for j in range(g):
            M_bar[i, j] = work.M_bar[i, j]
    if not forward_dynamics(model, work):
        return False
    solve_multipliers(model, work)
    for c in range(f.states):
        _to_new_error(work, M_bar, f.P[2 * g:3 * g, c], g)
    for r in range(f.states):
        _to_new_error(work, M_bar, f.P[r, 2 * g:3 * g], g)
    return True


@kernel
def _to_new_error(work, M_bar, error, g):
    """Write error = M_bar'^-1 M_bar error (g)."""
    for i in range(g):
        work.column[i] = 0.0
        for j in range(g):
            work.column[i] += M_bar[i, j] * error[j]
    cholesky_solve(work.M_bar_factor, work.column, g)
    for i in range(g):
        error[i] = work.column[i]
