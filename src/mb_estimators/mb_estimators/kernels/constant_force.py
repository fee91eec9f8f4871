"""Unknown forces that stay, where the accelerations that they make do not."""


from mb_model.jit import entry, kernel
from mb_model.kernel_api import cholesky_solve, forward_dynamics, solve_multipliers


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
    g, by_error = model.g, f.matrix1
    for i in range(g):
        for j in range(g):
            by_error[i, j] = work.M_bar[i, j]
    if not forward_dynamics(model, work):
        return False
    solve_multipliers(model, work)
    for c in range(f.states):
        _to_new_error(work, by_error, f.P[2 * g:3 * g, c], g)
    for r in range(f.states):
        _to_new_error(work, by_error, f.P[r, 2 * g:3 * g], g)
    return True


@kernel
def _to_new_error(work, M_bar, error, g):
    """Write error = M_bar'^-1 M_bar error (g)."""
    for i in range(g):
        work.small1[i] = 0.0
        for j in range(g):
            work.small1[i] += M_bar[i, j] * error[j]
    cholesky_solve(work.M_bar_factor, work.small1, g)
    for i in range(g):
        error[i] = work.small1[i]
