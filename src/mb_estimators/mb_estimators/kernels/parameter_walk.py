"""Parameters whose uncertainty is kept apart from the states': their walk, their share.

x and s have the covariance [P + shift shift^T, shift factor^T; transpose, factor factor^T], see
kernels.parameter_points.
"""


from mb_estimators.kernels.covariance import keep_positive
from mb_estimators.kernels.parameter_values import value_by_s
from mb_model.jit import entry, kernel
from mb_model.kernel_api import (
    cholesky_factor,
    cholesky_solve,
    model_change,
    parameter_derivative,
    prepare_derivatives,
    solve_lower,
    square_of_factor,
)


@entry
def walk_parameters(works, filters, duals, h, g):
    """Let the variances of the parameters grow for h [s]; all other covariances stay.

    shift follows from shift' factor'^T = shift factor^T; P grows by shift shift^T - shift'
    shift'^T, which says less of the uncertainty of x now.  g: number of degrees of freedom.
    Source: Hsieh and Chen 1999, "Optimal solution of the two-stage Kalman estimator".
    Returns False if a covariance is not positive definite.
    """
    work, f, e = works[0], filters[0], duals[0]
    p, grown = e.count, e.left
    square_of_factor(e.factor, p, grown)
    for i in range(p):
        grown[i, i] += e.walk[i] * h
    if not cholesky_factor(grown, p):
        return False
    _add_shift(work, f, e, g, 1.0)
    for i in range(f.states):
        for a in range(p):
            e.step[a] = 0.0
            for b in range(a + 1):
                e.step[a] += e.factor[a, b] * e.shift[i, b]
        solve_lower(grown, e.step, p)
        for a in range(p):
            e.shift[i, a] = e.step[a]
    _add_shift(work, f, e, g, -1.0)
    for i in range(p):
        for j in range(i + 1):
            e.factor[i, j] = grown[i, j]
    return keep_positive(f)


@kernel
def _add_shift(work, f, e, g, sign):
    """Add sign times shift shift^T to f.P, whose third states are accelerations, not forces."""
    for j in range(e.count):
        for i in range(f.states):
            e.x[i] = e.shift[i, j]
        cholesky_solve(work.M_bar_factor, e.x[2 * g:3 * g], g)
        for a in range(f.states):
            for b in range(f.states):
                f.P[a, b] += sign * (e.x[a] * e.x[b])


@entry
def motion_shift(models, works, parameters, duals, out):
    """Write how far z, zd and zdd (3g, p) are shifted with the columns of factor.

    dzdd = A dz + B dzd + M_bar^-1 dforce + dzdd/ds factor.
    """
    model, work, e = models[0], works[0], duals[0]
    g, p = model.g, e.count
    for j in range(p):
        for k in range(g):
            out[k, j], out[g + k, j] = e.shift[k, j], e.shift[g + k, j]
            e.x[k] = e.shift[2 * g + k, j]
        cholesky_solve(work.M_bar_factor, e.x[:], g)
        for k in range(g):
            total = e.x[k]
            for i in range(g):
                total += work.A[k, i] * e.shift[i, j] + work.B[k, i] * e.shift[g + i, j]
            out[2 * g + k, j] = total
    prepare_derivatives(model, work)
    for c in range(p):
        model_change(model, work, parameters[c])
        parameter_derivative(model, work)
        rate = value_by_s(parameters, e, c)
        for j in range(c + 1):
            for k in range(g):
                out[2 * g + k, j] += work.zdd_parameter[k] * rate * e.factor[c, j]
