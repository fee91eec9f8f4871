"""Motion factor: velocities follow the accelerations of the dynamics by the trapezoidal rule.

Dynamics factors and trapezoidal factors of zd together, without accelerations as variables.
"""


from mb_estimators.factor_graph.factors.dynamics import put_at
from mb_estimators.kernels.parameters import change_model, value_by_s
from mb_model.jit import kernel
from mb_model.kernel_api import (
    force_derivative,
    forward_dynamics,
    linearise,
    model_change,
    parameter_derivative,
    prepare_derivatives,
    refer_to,
    set_time,
    solve_velocity,
    take_references,
)


@kernel
def use_parameters(model, work, parameters, estimated, s):
    """Give the model the parameters of s (p), if they are others."""
    changed = False
    for k in range(estimated.count):
        changed = changed or s[k] != estimated.s[k]
        estimated.s[k] = s[k]
    if changed:
        change_model(model, work, parameters, estimated, estimated.s)


@kernel
def move_to(model, work, a, t, forces, inputs, near):
    """Put the model at a node (see motion_node) at t [s], under forces and inputs, known ones (g).

    forces: where they begin, -1: none; near (n_total): a position on the branch, which becomes the
    node's, with the references of its orientations.
    Writes what forward_dynamics does.  Returns False where there is no such position.
    """
    set_time(model, work, t)
    for i in range(model.n):
        work.q[i] = near[i]
    take_references(model, work.q, near)
    for k in range(model.g):
        work.forces[k] = inputs[k] + (a[forces + k] if forces >= 0 else 0.0)
    if not put_at(model, work, a, 0, model.g) or not forward_dynamics(model, work):
        return False
    for i in range(model.n):
        near[i] = work.q[i]
    return True


@kernel
def see_from(model, work, b, t, near, moves, seen):
    """Write a node b at t [s] with orientations counted from the references of near[0] to `seen`.

    near (3, n_total): a position with these references, one of b with its own, and what is written:
    b as it is seen; moves: see refer_to.  Returns False where there is no such position.
    """
    for i in range(len(b)):
        seen[i] = b[i]
    if model.charts == 0:
        return True
    set_time(model, work, t)
    for i in range(model.n):
        work.q[i] = near[1, i]
    take_references(model, work.q, near[1])
    if not put_at(model, work, b, 0, model.g) or not solve_velocity(model, work):
        return False
    for i in range(model.n):
        near[1, i] = work.q[i]
    refer_to(model, work, near[0], moves)
    for k in range(model.g):
        seen[k], seen[model.g + k] = work.z[k], work.zd[k]
    for i in range(model.n_total):
        near[2, i] = work.q[i]
    return True


@kernel
def _add_acceleration(model, work, forces, parameters, estimated, h, e, J_a, J_s, row):
    """Subtract h/2 zdd of the present state from the error, and its derivatives."""
    half = 0.5 * h
    linearise(model, work)
    force_derivative(model, work, work.zdd_force)
    for i in range(model.g):
        e[row + i] -= half * work.zdd[i]
        for k in range(model.g):
            J_a[row + i, k] = -half * work.A[i, k]
            J_a[row + i, model.g + k] -= half * work.B[i, k]
            if forces >= 0:
                J_a[row + i, forces + k] = -half * work.zdd_force[i, k]
    if estimated.count > 0:
        prepare_derivatives(model, work)
    for c in range(estimated.count):
        model_change(model, work, parameters[c])
        parameter_derivative(model, work)
        rate = half * value_by_s(parameters, estimated, c)
        for i in range(model.g):
            J_s[row + i, c] -= rate * work.zdd_parameter[i]


@kernel
def motion(model, work, a, b, forces, inputs, near, parameters, estimated, t, h, e, J_a, J_b, J_s,
           row):
    """Error zd_b - zd_a - h/2 (zdd_a + zdd_b) (g), by the parameters that the model has, too.

    forces: where they begin in a and b, -1: none; inputs (g): known forces, held during the
    step, as they are on a's coordinates; b and near (3, n_total): as see_from has written
    them; t [s]: the time of a.  Returns False where a node has no position.
    Source: Blanco-Claraco et al. 2021, Eq. (23) with Eq. (29).
    """
    g = model.g
    for i in range(g):
        e[row + i] = b[g + i] - a[g + i]
        for k in range(g):
            J_a[row + i, g + k] = -1.0 if i == k else 0.0
            J_b[row + i, g + k] = 1.0 if i == k else 0.0
        for c in range(estimated.count):
            J_s[row + i, c] = 0.0
    if not move_to(model, work, a, t, forces, inputs, near[0]):
        return False
    _add_acceleration(model, work, forces, parameters, estimated, h, e, J_a, J_s, row)
    if not move_to(model, work, b, t + h, forces, inputs, near[2 if model.charts > 0 else 1]):
        return False
    _add_acceleration(model, work, forces, parameters, estimated, h, e, J_b, J_s, row)
    return True
