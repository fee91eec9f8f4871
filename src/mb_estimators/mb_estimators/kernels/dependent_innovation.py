"""What readings say beside the prediction of a filter in dependent coordinates.

The covariance of such a filter leaves the coordinates room that constraints do not: pseudo-noise,
by which constraints move them.  No mechanism has errors of that kind.  What is to be expected of
a reading is therefore judged by the errors that the constraints allow.
"""


from mb_estimators.kernels.gate import credible
from mb_estimators.kernels.observation import velocity_by_position
from mb_estimators.kernels.triangular import lower_triangularise
from mb_model.jit import kernel
from mb_model.kernel_api import apply_s, second_derivatives as second, square_of_factor


@kernel
def judge_readings(model, work, f):
    """After accelerate, observe_dependent: leave out incredible readings; write the innovation.

    With errors of z, zd and biases alone, which the other coordinates follow by

        dq = R dz,  dqd = qd_z dz + R dzd,

    the covariance of the residual is H T P_z T^T H^T + noise, T being that relation, and P_z the
    covariance of z, zd and biases.  The residual is that at the position and velocity which the
    constraints have for z and zd, to first order.
    Writes f.rejected_count, rejected, residual, residual_covariance, nis; compresses f.count,
    present, misfit, H, noise.  Returns False if the covariance is not positive definite.
    """
    _add_to_residuals(model, work, f)
    velocity_by_position(model, work)
    size, kept, rejected = f.states, 0, 0
    for a in range(f.count):
        _spread_row(model, work, f, a, kept)
        variance = f.noise[a, a] ** 2
        for j in range(size):
            variance += f.array[kept, j] ** 2
        if not credible(f, f.residual[a], variance):
            f.rejected[rejected] = f.present[a]
            rejected += 1
            continue
        f.present[kept], f.residual[kept] = f.present[a], f.residual[a]
        f.misfit[kept], f.noise[kept, kept] = f.misfit[a], f.noise[a, a]
        for j in range(size):
            f.H[kept, j] = f.H[a, j]
        kept += 1
    f.count, f.rejected_count = kept, rejected
    return _weigh_residuals(f)


@kernel
def _add_to_residuals(model, work, f):
    """Add to f.residual what the way to the constraints changes: -H [dq; dqd].

    dq = -S phi; dqd = -S (phi_q qd + phi_q_dot dq), the degrees of freedom being as they are.
    """
    n, missing, dq, dqd = model.n, work.vector1, work.vector2, work.vector3
    second(model, work.q, work.qd, work.phi_q_dot)
    for row in range(model.m):
        missing[row] = -work.phi[row]
    apply_s(model, work, missing, dq)
    for row in range(model.m):
        missing[row] = 0.0
        for i in range(model.n_total):
            missing[row] -= work.phi_q[row, i] * work.qd[i]
        for i in range(n):
            missing[row] -= work.phi_q_dot[row, i] * dq[i]
    apply_s(model, work, missing, dqd)
    for a in range(f.count):
        for i in range(n):
            f.residual[a] -= f.H[a, i] * dq[i] + f.H[a, n + i] * dqd[i]


@kernel
def _spread_row(model, work, f, a, row):
    """Write f.array[row] = H_a T S_z, where S_z are the rows of z, zd and biases in f.factor."""
    n, size = model.n, f.states
    for j in range(size):
        f.array[row, j] = 0.0
    for k in range(model.g):
        by_z, by_zd = 0.0, 0.0
        for i in range(n):
            by_z += f.H[a, i] * work.R[i, k] + f.H[a, n + i] * work.qd_z[i, k]
            by_zd += f.H[a, n + i] * work.R[i, k]
        z, zd = model.independent[k], n + model.independent[k]
        for j in range(z + 1):
            f.array[row, j] += by_z * f.factor[z, j]
        for j in range(zd + 1):
            f.array[row, j] += by_zd * f.factor[zd, j]
    for b in range(f.motion, size):
        for j in range(b + 1):
            f.array[row, j] += f.H[a, b] * f.factor[b, j]


@kernel
def _weigh_residuals(f):
    """From the rows H T S_z in f.array write f.residual_covariance and nis; see judge_readings."""
    size, count, array = f.states, f.count, f.array
    for a in range(count):
        for b in range(count):
            array[a, size + b] = f.noise[a, a] if a == b else 0.0
    lower_triangularise(array[:], count, size + count)
    f.nis = 0.0
    for a in range(count):
        if not array[a, a] > 0.0:
            return False
        total = f.residual[a]
        for b in range(a):
            total -= array[a, b] * f.weighted[b]
        f.weighted[a] = total / array[a, a]
        f.nis += f.weighted[a] * f.weighted[a]
    square_of_factor(array, count, f.residual_covariance)
    return True
