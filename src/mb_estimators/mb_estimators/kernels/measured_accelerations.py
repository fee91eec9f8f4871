"""Accelerations of the degrees of freedom by what accelerometers read."""

from mb_estimators.kernels.motion_observation import list_present, observe_motion
from mb_estimators.kernels.motion_state import settle_position
from mb_model.jit import kernel
from mb_model.kernel_api import add_information, cholesky_factor, cholesky_solve


@kernel
def solve_inputs(model, work, channels, f, limit):
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
