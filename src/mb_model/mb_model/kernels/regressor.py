"""Inverse dynamics along a motion, with its derivatives by parameters and by the state."""


from mb_model.jit import entry
from mb_model.kernels.efforts import pass_through_drives, passed_share
from mb_model.kernels.linearisation import force_by_state, linearise
from mb_model.kernels.mass import mass_matrix
from mb_model.kernels.matrix_r import inverse_dynamics
from mb_model.kernels.model_change import model_change
from mb_model.kernels.parameter_derivative import needed_change
from mb_model.kernels.parameters import set_parameter
from mb_model.kernels.position import SOLVED, follow_position, solve_position

_follow, _solve, _inverse, _linearise = follow_position, solve_position, inverse_dynamics, linearise
_change, _needed_change, _set = model_change, needed_change, set_parameter


@entry
def set_values(models, works, parameters, values):
    """Give PARAMETER records (p) other values; changes model and mass matrix in place."""
    for k in range(parameters.size):
        _set(models[0], parameters[k], values[k])
    mass_matrix(models[0], works[0].M)


@entry
def needed_along(models, works, parameters, z, zd, zdd, force, by_parameter, by_state, R):
    """Write for each row of z, zd, zdd (k, g), from work.q near the first one on, what it needs.

    force (k, g): of inverse dynamics; by_parameter (k, g, p): its derivatives by PARAMETER records
    (p), by_state (k, g, 3 g): by z, zd and zdd; R (k, n, g).  Returns how many rows there is a
    position for.
    """
    model, work, g = models[0], works[0], models[0].g
    for row in range(z.shape[0]):
        for k in range(g):
            work.z[k], work.zd[k], work.zdd[k] = z[row, k], zd[row, k], zdd[row, k]
        status = _solve(model, work) if row == 0 else _follow(model, work)[0]
        if status != SOLVED or not _inverse(model, work, work.forces):
            return row
        pass_through_drives(model, work)
        _linearise(model, work)
        force_by_state(work, g, by_state[row])
        for k in range(g):
            force[row, k] = work.forces[k]
            for i in range(model.n):
                R[row, i, k] = work.R[i, k]
        for k in range(parameters.size):
            _change(model, work, parameters[k])
            _needed_change(model, work)
            for i in range(g):
                by_parameter[row, i, k] = -work.zdd_parameter[i]
        for i in range(g):
            share = passed_share(model, work, i)
            for j in range(3 * g):
                by_state[row, i, j] /= share
            for k in range(parameters.size):
                by_parameter[row, i, k] /= share
    return z.shape[0]
