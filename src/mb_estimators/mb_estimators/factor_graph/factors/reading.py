"""Reading factor: what sensors read of a node, or a short time after it."""


from mb_estimators.factor_graph.factors.dynamics import put_at
from mb_estimators.factor_graph.factors.motion import move_to, use_parameters
from mb_estimators.kernels.observation import observe
from mb_estimators.kernels.parameters import motion_by_parameters, observe_parameters
from mb_model.jit import kernel
from mb_model.kernel_api import (
    force_derivative,
    forward_dynamics,
    linearise,
    set_time,
    solve_multipliers,
    solve_velocity,
)


@kernel
def _advance(model, work, f, h):
    """Move the model on by a short h [s], zdd constant; write how in f.transition; False: cannot.

    States z, zd, forces: [I + h^2/2 A, hI + h^2/2 B, h^2/2 M_bar^-1; hA, I + hB, h M_bar^-1; 0, 0,
    I].  Error: of the order of h^3.  Prescribed coordinates go on to their time.
    """
    g, half, F = model.g, 0.5 * h * h, f.transition
    linearise(model, work)
    force_derivative(model, work, work.zdd_force)
    for i in range(3 * g):
        for j in range(3 * g):
            F[i, j] = 1.0 if i == j else 0.0
    for i in range(g):
        f.x[i] = work.z[i] + h * work.zd[i] + half * work.zdd[i]
        f.x[g + i] = work.zd[i] + h * work.zdd[i]
        F[i, g + i] += h
        for k in range(g):
            F[i, k] += half * work.A[i, k]
            F[i, g + k] += half * work.B[i, k]
            F[i, 2 * g + k] = half * work.zdd_force[i, k]
            F[g + i, k] += h * work.A[i, k]
            F[g + i, g + k] += h * work.B[i, k]
            F[g + i, 2 * g + k] = h * work.zdd_force[i, k]
    set_time(model, work, work.t + h)
    return put_at(model, work, f.x, 0, g) and forward_dynamics(model, work)


@kernel
def _by_forces(model, work, f, by_force):
    """Replace the columns of acceleration errors in f.H by columns of the forces behind them."""
    g = model.g
    force_derivative(model, work, by_force)
    for row in range(f.count):
        for k in range(g):
            f.dx[k] = 0.0
            for i in range(g):
                f.dx[k] += f.H[row, 2 * g + i] * by_force[i, k]
        for k in range(g):
            f.H[row, 2 * g + k] = f.dx[k]


@kernel
def reading(model, work, channels, f, a, s, t, inputs, near, ahead, parameters, estimated,
            readings, e, J_a, J_s, row):
    """Error h(z, zd, forces, biases; parameters) - reading, of the channels that are there.

    readings (channels): NaN where there is none; t [s]: of the node; ahead [s]: how long after it;
    f: a FILTER record, of which motion is 3g with forces in the node, else 2g; near (1, n_total):
    see move_to.  Exact derivatives, but parameters are taken to act on the node alone.
    Returns False where the mechanism has no position.  Source: Rodriguez et al. 2023, Sec. 7.
    """
    g = model.g
    forces = 2 * g if f.motion == 3 * g else -1
    use_parameters(model, work, parameters, estimated, s)
    for b in range(f.biases):
        f.bias[b] = a[f.motion + b]
    if not move_to(model, work, a, t, forces, inputs, near[0]):
        return False
    if ahead > 0.0 and not _advance(model, work, f, ahead):
        return False
    solve_multipliers(model, work)
    if not solve_velocity(model, work) or not observe(model, work, channels, f, readings):
        return False
    if not forward_dynamics(model, work):
        return False
    if forces >= 0:
        _by_forces(model, work, f, work.zdd_force)
    if estimated.count > 0:
        solve_multipliers(model, work)
        motion_by_parameters(model, work, parameters, estimated)
        observe_parameters(model, work, channels, f, estimated)
    for k in range(f.count):
        e[row + k] = -f.residual[k]
        for j in range(f.states):
            J_a[row + k, j] = f.H[k, j]
        if ahead > 0.0:
            for j in range(f.motion):
                J_a[row + k, j] = 0.0
                for i in range(f.motion):
                    J_a[row + k, j] += f.H[k, i] * f.transition[i, j]
        for c in range(estimated.count):
            J_s[row + k, c] = f.H[k, estimated.first + c]
    return True
