"""The state of filters in dependent coordinates: start, dynamics, returns."""

from math import sqrt

from mb_estimators.kernels.array_correction import lower_triangularise
from mb_model.jit import entry, kernel
from mb_model.kernel_api import (
    SOLVED,
    follow_position,
    forward_dynamics,
    prepare_velocity,
    set_time,
    solve_accelerations,
    solve_position,
)

_TORN = 0.1               # violation of a constraint, in sizes of the mechanism


@entry
def spread_covariance(models, works, filters):
    """Replace f.factor of z, zd (2g) by the factor of q, qd, which move with them.

    dq = R dz, dqd = qd_z dz + R dzd; coordinates that are no degrees of freedom have the variance
    sigma_b^2 beside, as after every step.  Biases, behind both, stay.  Needs what kernels.start
    leaves.
    """
    model, work, f = models[0], works[0], filters[0]
    n, g, size = model.n, model.g, f.states
    for i in range(n):
        for j in range(2 * size):
            f.array[i, j] = f.array[n + i, j] = 0.0
        for j in range(2 * g):
            for k in range(g):
                position, velocity = f.factor[k, j], f.factor[g + k, j]
                f.array[i, j] += work.R[i, k] * position
                f.array[n + i, j] += work.qd_z[i, k] * position + work.R[i, k] * velocity
    for b in range(f.biases):
        for j in range(2 * size):
            f.array[2 * n + b, j] = f.factor[2 * g + b, j] if j <= 2 * g + b else 0.0
    free_dependent(model, f, size)
    lower_triangularise(f.array[:], size, 2 * size)
    copy_lower(f.array, f.factor, size)


@kernel
def free_dependent(model, f, column):
    """Write, from `column` on in f.array, the noise of coordinates that are no degrees of freedom.

    sigma_b^2: Rodriguez et al. 2023, Sec. 12.1.
    """
    for row in range(model.n - model.g):
        i = model.dependent[row]
        f.array[i, column + row] = sqrt(f.dependent_variance)
        f.array[model.n + i, column + model.n + row] = sqrt(f.dependent_variance)


@kernel
def pass_on_biases(f, column, h):
    """Write the rows of biases to f.array: of the factor, and, from `column` on, their noise.

    They walk randomly for h [s].
    """
    for b in range(f.biases):
        row = f.motion + b
        for j in range(column):
            f.array[row, j] = f.factor[row, j] if j <= row else 0.0
        for a in range(f.biases):
            f.array[row, column + a] = sqrt(f.bias_walk[b] * h) if a == b else 0.0


@kernel
def copy_lower(source, target, size):
    """Copy a lower triangle (size, size)."""
    for i in range(size):
        for j in range(i + 1):
            target[i, j] = source[i, j]


@kernel
def keep(model, work, f):
    """Remember time, state and covariance."""
    f.t0 = work.t
    for i in range(model.n):
        f.q0[i], f.qd0[i], f.qdd0[i] = work.q[i], work.qd[i], work.qdd[i]
    for b in range(f.biases):
        f.bias0[b] = f.bias[b]
    copy_lower(f.factor, f.factor0, f.states)


@kernel
def return_to_kept(model, work, f):
    """Go back to what `keep` remembers."""
    set_time(model, work, f.t0)
    for i in range(model.n):
        work.q[i], work.qd[i], work.qdd[i] = f.q0[i], f.qd0[i], f.qdd0[i]
    for b in range(f.biases):
        f.bias[b] = f.bias0[b]
    copy_lower(f.factor0, f.factor, f.states)
    read_independent(model, work)
    for k in range(model.g):
        work.zdd[k] = work.qdd[model.independent[k]]


@kernel
def read_independent(model, work):
    """Write z and zd from q and qd."""
    for k in range(model.g):
        work.z[k], work.zd[k] = work.q[model.independent[k]], work.qd[model.independent[k]]


@kernel
def move(model, work, f, q, qd, bias):
    """Write work.q, qd, f.bias = q, qd, bias + f.dx."""
    for i in range(model.n):
        work.q[i] = q[i] + f.dx[i]
        work.qd[i] = qd[i] + f.dx[model.n + i]
    for b in range(f.biases):
        f.bias[b] = bias[b] + f.dx[f.motion + b]


@kernel
def accelerate(model, work):
    """Write z, zd, zdd and qdd at q, qd as they are; return the branch, 0.0 where it is singular.

    The solution of Eq. (1) of Rodriguez et al. 2023 even where the constraints are a little off.
    """
    read_independent(model, work)
    branch = prepare_velocity(model, work)
    if branch == 0.0 or not solve_accelerations(model, work):
        return 0.0
    return branch


@entry
def accelerate_torn(models, works):
    """Do as `accelerate` under forces that changed; return whether the position is regular."""
    return accelerate(models[0], works[0]) != 0.0


@kernel
def holds_together(model, work):
    """Return whether no constraint, in work.phi and phi_q, is violated by a tenth of the mechanism.

    For filters that do not close it: beyond, there is no mechanism left to estimate.
    """
    for k in range(model.m):
        slope = 0.0
        for i in range(model.n):
            slope += (work.phi_q[k, i] * model.scale[i]) ** 2
        if not work.phi[k] * work.phi[k] <= _TORN * _TORN * slope:
            return False
    return True


@kernel
def close(model, work, f):
    """Bring q and qd to the constraints with z and zd as they are, on the branch of f.q0.

    Returns False if there is no such position.
    """
    read_independent(model, work)
    x = f.dx
    for k in range(model.g):
        x[k] = work.z[k]
        work.z[k] = f.q0[model.independent[k]]
    for i in range(model.n):
        work.q[i] = f.q0[i]
    if solve_position(model, work) != SOLVED:
        return False
    for k in range(model.g):
        work.z[k] = x[k]
    return follow_position(model, work)[0] == SOLVED and forward_dynamics(model, work)
