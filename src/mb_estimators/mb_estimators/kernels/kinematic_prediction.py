"""Prediction by kinematics alone: Taylor's series, or measured accelerations as inputs."""

from numba import njit

from mb_estimators.kernels.covariance import keep_positive, propagate
from mb_estimators.kernels.kinematic_state import (
    begin_forces,
    impose_accelerations,
    observe_kinematics,
)
from mb_estimators.kernels.prediction import advance_independent
from mb_model.kernels.linear_algebra import cholesky_factor, cholesky_solve


@njit(cache=True)
def predict_kinematic(models, works, channels, filters, disturbances, inputs_below, h):
    """Move z, zd, zdd (and the jerk) on by h [s]; propagate their covariance.

    inputs_below: a variance; accelerometers that determine all accelerations better than that are
    the inputs of the step (0: never).  Else, and without them, the last state of each degree of
    freedom, zdd or the jerk, stays, and walks randomly by f.acceleration_walk.
    Source: Rodriguez et al. 2023, Eqs. (83)-(87).
    Returns False if the mechanism cannot move so.
    """
    model, work, f = models[0], works[0], filters[0]
    if not begin_forces(model, work, f):
        return False
    _identity(f.transition, f.states)
    if inputs_below > 0.0 and _solve_inputs(model, work, channels, f, inputs_below):
        _move_by_inputs(model, work, f, h)
        propagate(f)
        _add_input_noise(f, model.g, h)
    else:
        _move_by_series(model, work, f, h)
        propagate(f)
    _add_walk(f, model.g, h)
    if not advance_independent(model, work, f.dx):
        return False
    impose_accelerations(model, work, f)
    disturbances[0].elapsed += h
    return keep_positive(f)


@njit(cache=True)
def _identity(matrix, size):
    """Write a unit matrix."""
    for i in range(size):
        for j in range(size):
            matrix[i, j] = 1.0 if i == j else 0.0


@njit(cache=True)
def _move_by_series(model, work, f, h):
    """Write f.dx and f.transition of Taylor's series; the last state of each coordinate stays."""
    g, orders = model.g, f.motion // model.g
    for k in range(g):
        f.x[k], f.x[g + k] = work.z[k], work.zd[k]
    for order in range(orders):
        for k in range(g):
            factor, change = 1.0, 0.0
            for higher in range(order + 1, orders):
                factor *= h / (higher - order)
                change += factor * f.x[higher * g + k]
                f.transition[order * g + k, higher * g + k] = factor
            f.dx[order * g + k] = change
    for i in range(2 * g, f.motion):
        f.x[i] += f.dx[i]


@njit(cache=True)
def _add_walk(f, g, h):
    """Add the random walk of the last states, and what their integrals are moved by it, to P.

    A chain of integrators of white noise of the density q: q h^(a+b+1) / (a! b! (a + b + 1)) where
    a and b integrations are between (Van Loan's method).  As positions and velocities share the
    noise of the acceleration, a reading of this one at the end of a step tells what it has been.
    """
    orders = f.motion // g
    for i in range(orders):
        for j in range(orders):
            a, b = orders - 1 - i, orders - 1 - j
            share = h / (a + b + 1.0)
            for n in range(1, a + 1):
                share *= h / n
            for n in range(1, b + 1):
                share *= h / n
            for k in range(g):
                f.P[i * g + k, j * g + k] += share * f.acceleration_walk[k]


@njit(cache=True)
def _solve_inputs(model, work, channels, f, limit):
    """Find the accelerations zdd_u that accelerometers read, the last readings in f.readings.

    Weighted least squares of J dzdd = reading - h, J = h_qdd R: Eq. (86), of what sensors read in
    place of the accelerations of the coordinates themselves.  Writes zdd_u to f.x, its covariance
    N = (J^T W J)^-1 to f.matrix2 and its derivative by the states, -N J^T W H but zero by zdd, to
    f.matrix3 (g, states).  Returns False if they do not determine it within a variance `limit`.
    """
    g = model.g
    if not observe_kinematics(model, work, channels, f, f.readings[:]) or f.count == 0:
        return False
    normal, covariance, by_state = f.matrix1, f.matrix2, f.matrix3
    for i in range(g):
        for j in range(g):
            normal[i, j] = 0.0
            for a in range(f.count):
                normal[i, j] += (f.H[a, 2 * g + i] * f.H[a, 2 * g + j]
                                 / f.variance[f.present[a]])
    if not cholesky_factor(normal, g):
        return False
    for i in range(g):
        for j in range(g):
            covariance[i, j] = 1.0 if i == j else 0.0
        cholesky_solve(normal, covariance[i], g)
        if not covariance[i, i] < limit:
            return False
    for i in range(g):
        for column in range(f.states):
            by_state[i, column] = 0.0
        for a in range(f.count):
            gain = 0.0
            for j in range(g):
                gain += covariance[i, j] * f.H[a, 2 * g + j]
            gain /= f.variance[f.present[a]]
            f.x[2 * g + i] += gain * f.residual[a]
            for column in range(f.states):
                if column < 2 * g or column >= f.motion:
                    by_state[i, column] -= gain * f.H[a, column]
    return True


@njit(cache=True)
def _move_by_inputs(model, work, f, h):
    """Write f.dx and f.transition of a step with zdd_u; zdd is the numerical derivative of zd."""
    g, F, by_state = model.g, f.transition, f.matrix3
    for k in range(g):
        f.dx[k] = h * (work.zd[k] + 0.5 * h * f.x[2 * g + k])
        f.dx[g + k] = h * f.x[2 * g + k]
        F[k, g + k] = h
        F[2 * g + k, 2 * g + k] = 0.0
        for column in range(f.states):
            F[k, column] += 0.5 * h * h * by_state[k, column]
            F[g + k, column] += h * by_state[k, column]
            F[2 * g + k, column] += by_state[k, column]


@njit(cache=True)
def _add_input_noise(f, g, h):
    """Add the noise of zdd_u, which z, zd and zdd have in common, to P; see _solve_inputs."""
    covariance = f.matrix2
    for i in range(3 * g):
        for j in range(3 * g):
            f.P[i, j] += _reach(i // g, h) * _reach(j // g, h) * covariance[i % g, j % g]


@njit(cache=True)
def _reach(order, h):
    """Return by what an acceleration during the step moves z, zd and zdd."""
    if order == 0:
        return 0.5 * h * h
    return h if order == 1 else 1.0
