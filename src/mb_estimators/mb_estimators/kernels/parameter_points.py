"""Sigma points of parameters: a model with other parameters each, that has its own motion.

The estimated motion x (z, zd, the unknown force, biases of sensors) depends on the parameters that
it was estimated with.  A point therefore lies at

    s +- sqrt(p) (column j of factor),    x +- sqrt(p) (column j of shift),

with equal weights 1/(2p) (Rodriguez et al. 2023, Eqs. (34)-(37), alpha = 1, beta = kappa = 0):
`shift` is where the filter of the states would be if the parameters had been other ones.  Without
it a filter compares what a parameter does within one step, which in a position is h^2/2 of its
acceleration.  Sources: Friedland 1969, "Treatment of bias in recursive filtering", for constant
parameters; Hsieh and Chen 1999, "Optimal solution of the two-stage Kalman estimator", for the walk.
"""

from math import sqrt

from numba import float64, int64

from mb_estimators.kernels.covariance import keep_positive
from mb_estimators.kernels.parameters import change_model, value_by_s
from mb_estimators.kernels.sigma_points import put_at
from mb_estimators.records.parameter import DUAL, PARAMETERS
from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import (
    carry_errors,
    cholesky_factor,
    cholesky_solve,
    index3_al_step,
    model_change,
    parameter_derivative,
    prepare_derivatives,
    set_time,
    solve_lower,
    solve_multipliers,
    square_of_factor,
    take_references,
)
from mb_model.record import MODEL, WORK
from mb_sensors.kernel_api import difference, measure

_step = index3_al_step
_ATTEMPTS = 8             # to find points that the mechanism can reach


@separate(MODEL, WORK, WORK, PARAMETERS, DUAL, int64, float64)
def _put_point(model, work, centre, parameters, e, j, reach):
    """Put the point's model at s and x of the centre plus reach times column j of both.

    The time and references of orientations are the centre's.  Returns whether it closes there.
    """
    g = model.g
    for k in range(e.count):
        e.point_s[k] = e.s[k] + reach * e.factor[k, j]
    for k in range(g):
        e.x[k] = centre.z[k] + reach * e.shift[k, j]
        e.x[g + k] = centre.zd[k] + reach * e.shift[g + k, j]
        work.forces[k] = e.forces[k] + reach * e.shift[2 * g + k, j]
    change_model(model, work, parameters, e, e.point_s)
    take_references(model, work.q, centre.q)
    set_time(model, work, centre.t)
    if not put_at(model, work, centre.q, e.x[:]):
        return False
    solve_multipliers(model, work)
    return True


@kernel
def _step_point(model, work, centre, parameters, e, j, reach, h, out):
    """Step the model from a point; write z, zd to out.  Returns whether that was possible."""
    if not _put_point(model, work, centre, parameters, e, j, reach):
        return False
    if _step(model, work, h) < 0:
        return False
    for k in range(model.g):
        out[k], out[model.g + k] = work.z[k], work.zd[k]
    return True


@entry
def step_points(works, point_models, point_works, filters, parameters, duals, h):
    """Before the states are predicted: move e.shift on by h [s].

    Points that cannot be reached are brought nearer to the centre.  Returns False if none can.
    """
    model, work, centre = point_models[0], point_works[0], works[0]
    f, e = filters[0], duals[0]
    for k in range(model.g):
        e.forces[k] = centre.forces[k] + f.force[k]
    for j in range(e.count):
        reach, reached = sqrt(e.count), False
        for _ in range(_ATTEMPTS):
            if (_step_point(model, work, centre, parameters, e, j, reach, h, e.high)
                    and _step_point(model, work, centre, parameters, e, j, -reach, h, e.low)):
                reached = True
                break
            reach *= 0.5
        if not reached:
            return False
        for i in range(2 * model.g):
            e.shift[i, j] = (e.high[i] - e.low[i]) / (2.0 * reach)
    return True


@kernel
def _measure_point(model, work, centre, channels, parameters, f, e, j, reach, out):
    """Write to out by how much the readings differ from the centre's, f.h.

    Returns whether the point can be reached.
    """
    if not _put_point(model, work, centre, parameters, e, j, reach):
        return False
    measure(channels, work.q[:], work.qd[:], work.qdd[:], out[:])
    for c in range(channels.size):
        bias = 0.0
        if f.bias_of[c] >= 0:
            bias = f.bias[f.bias_of[c]] + reach * e.shift[f.motion + f.bias_of[c], j]
        out[c] = difference(channels[c], out[c] + bias, f.h[c])
    return True


@kernel
def measure_points(works, channels, point_models, point_works, filters, parameters, duals):
    """Write e.mean, outputs and bend: what the sensors would read at the points.

    The mean of their readings is f.h + mean, their covariance outputs outputs^T + bend bend^T: half
    the differences of the two points j, and what their middle is off the mean.
    Source: Rodriguez et al. 2023, Eqs. (41), (42).
    """
    model, work, centre = point_models[0], point_works[0], works[0]
    f, e = filters[0], duals[0]
    for k in range(model.g):
        e.forces[k] = centre.forces[k]
    for c in range(channels.size):
        e.mean[c] = 0.0
    for j in range(e.count):
        reach, reached = sqrt(e.count), False
        for _ in range(_ATTEMPTS):
            if (_measure_point(model, work, centre, channels, parameters, f, e, j, reach,
                               e.read_high)
                    and _measure_point(model, work, centre, channels, parameters, f, e, j, -reach,
                                       e.read_low)):
                reached = True
                break
            reach *= 0.5
        if not reached:
            return False
        for c in range(channels.size):
            e.outputs[c, j] = (e.read_high[c] - e.read_low[c]) / (2.0 * reach)
            e.bend[c, j] = (e.read_high[c] + e.read_low[c]) / (2.0 * reach * reach)
            e.mean[c] += e.bend[c, j]
    for j in range(e.count):
        for c in range(channels.size):
            e.bend[c, j] = sqrt(e.count) * e.bend[c, j] - e.mean[c] / sqrt(e.count)
    return True


@entry
def follow_with_shifts(duals, g, indices, changes):
    """After follow_bodies has moved references: carry the shifts of z and zd over.

    Shifts of moments stay, as the moments do: both are in the body's frame.  indices, changes: as
    in follow_bodies.
    """
    e = duals[0]
    carry_errors(changes, indices, g, e.shift, e.count)


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
