"""Prediction by kinematics alone: Taylor's series, or measured accelerations as inputs."""

from math import isfinite

from mb_estimators.kernels.covariance import propagate
from mb_estimators.kernels.motion_observation import list_present, observe_motion
from mb_estimators.kernels.motion_prediction import add_walk, predict_motion
from mb_estimators.kernels.motion_state import settle_position
from mb_model.jit import entry, kernel
from mb_model.kernel_api import add_information, cholesky_factor, cholesky_solve


@entry
def predict_kinematic(models, works, channels, filters, disturbances, inputs_below, h):
    """Move z, zd, zdd (and the jerk) on by h [s]; propagate their covariance.

    inputs_below: a variance; accelerometers that determine all accelerations better than that are
    the inputs of the step (0: never).  Else, and without them, the last state of each degree of
    freedom, zdd or the jerk, stays, and walks randomly by f.acceleration_walk.
    Source: Rodriguez et al. 2023, Eqs. (83)-(87).
    Returns False if the mechanism cannot move so.
    """
    model, work, f = models[0], works[0], filters[0]
    disturbances[0].elapsed += h
    if not (inputs_below > 0.0 and _solve_inputs(model, work, channels, f, inputs_below)):
        return predict_motion(filters, model.g, h)
    _identity(f.transition, f.states)
    _move_by_inputs(f, model.g, h)
    propagate(f)
    _add_input_noise(f, model.g, h)
    add_walk(f, model.g, h)
    total = 0.0
    for i in range(f.motion):
        total += f.x[i] + f.P[i, i]
    return isfinite(total)


@kernel
def _identity(matrix, size):
    """Write a unit matrix."""
    for i in range(size):
        for j in range(size):
            matrix[i, j] = 1.0 if i == j else 0.0


@kernel
def _solve_inputs(model, work, channels, f, limit):
    """Find the accelerations zdd_u that accelerometers read, the last readings in f.readings.

    Weighted least squares of J dzdd = reading - h, J = h_qdd R: Eq. (86), of what sensors read in
    place of the accelerations of the coordinates themselves.  Writes zdd_u to f.x, its covariance
    N = (J^T W J)^-1 to f.matrix2 and its derivative by the states, -N J^T W H but zero by zdd, to
    f.matrix3 (g, states).  Returns False if they do not determine it within a variance `limit`.
    """
    g = model.g
    list_present(f, f.readings[:channels.size])
    if f.count == 0 or not settle_position(model, work, f) or not observe_motion(
            model, work, channels, f, f.readings[:]):
        return False
    normal, covariance, by_state = f.matrix1, f.matrix2, f.matrix3
    for i in range(g):
        for j in range(g):
            normal[i, j] = 0.0
    add_information(f.H[:, 2 * g:3 * g], f.variance, f.present, f.count, g, normal)
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


@kernel
def _move_by_inputs(f, g, h):
    """Move f.x by zdd_u; write f.transition.  zdd is the numerical derivative of zd."""
    F, by_state = f.transition, f.matrix3
    for k in range(g):
        f.x[k] += h * (f.x[g + k] + 0.5 * h * f.x[2 * g + k])
        f.x[g + k] += h * f.x[2 * g + k]
        F[k, g + k] = h
        F[2 * g + k, 2 * g + k] = 0.0
        for column in range(f.states):
            F[k, column] += 0.5 * h * h * by_state[k, column]
            F[g + k, column] += h * by_state[k, column]
            F[2 * g + k, column] += by_state[k, column]


@kernel
def _add_input_noise(f, g, h):
    """Add the noise of zdd_u, which z, zd and zdd have in common, to P; see _solve_inputs."""
    covariance = f.matrix2
    for i in range(3 * g):
        for j in range(3 * g):
            f.P[i, j] += _reach(i // g, h) * _reach(j // g, h) * covariance[i % g, j % g]


@kernel
def _reach(order, h):
    """Return by what an acceleration during the step moves z, zd and zdd."""
    if order == 0:
        return 0.5 * h * h
    return h if order == 1 else 1.0
