"""Exact derivatives of the accelerations of the degrees of freedom by parameters of the model."""


from mb_model.jit import by_number, kernel, separate
from mb_model.kernels.constraint_products import bilinear, change_along, weighted_bilinear
from mb_model.kernels.force_elements import value_change
from mb_model.kernels.forces import force_change
from mb_model.kernels.linear_algebra import cholesky_solve
from mb_model.kernels.linearisation import prepare_derivatives
from mb_model.kernels.mass import solid_change
from mb_model.kernels.model_change import model_change
from mb_model.kernels.rolling_changes import constrain_change
from mb_model.kernels.spatial_constraints import add_bilinear_change
from mb_model.kernels.spatial_forces import value_change as spatial_value_change
from mb_model.kernels.transformation import apply_s
from mb_model.record import MODEL, WORK
from mb_model.registry.constraints import kernels

_add_value_change, _change_gradient, _change_curvature = (by_number(kernels(name)) for name in (
    'add_value_change', 'gradient_change', 'curvature_change'))

_add_terms = add_bilinear_change


@kernel
def _move(model, work, right, dq):
    """Write dq (n_total): fixed points with d_fixed, the others so that the constraints hold."""
    for row in range(model.m):
        right[row] = 0.0
        for column in range(model.n, model.n_total):
            right[row] -= work.phi_q[row, column] * work.d_fixed[column]
    for k in range(model.constraints):
        _add_value_change(model.constraint_kind[k], model.constraint_index[k],
                          model.constraint_value[k], work.d_constraint_value[k], work.q, -1.0,
                          right, model.constraint_row[k])
    if work.moving_terms:
        _add_terms(model, work, work.q, work.q, -0.5, right)
    apply_s(model, work, right, dq)
    for column in range(model.n, model.n_total):
        dq[column] = work.d_fixed[column]


@kernel
def _gradient_change(model, work, v, out):
    """Write phi_qp v (m)."""
    for row in range(model.m):
        out[row] = 0.0
    for k in range(model.constraints):
        _change_gradient(model.constraint_kind[k], model.constraint_index[k],
                         work.d_constraint_value[k], work.q, v, out, model.constraint_row[k])
    if work.moving_terms:
        _add_terms(model, work, work.q, v, 1.0, out)


@kernel
def _add_curvature_change(model, work, v, out):
    """Add v^T phi_qqp v to out (m)."""
    for k in range(model.constraints):
        out[model.constraint_row[k]] += _change_curvature(
            model.constraint_kind[k], model.constraint_index[k], work.d_constraint_value[k], v)
    if work.moving_terms:
        _add_terms(model, work, v, v, 1.0, out)


@kernel
def _force_change_by_values(model, work, direction):
    """Return direction^T dQ for the changes of the forces' numbers."""
    total = 0.0
    for k in range(model.forces):
        total += value_change(model.force_kind[k], model.force_index[k], model.force_value[k],
                              work.d_force_value[k], work.q, work.qd, direction)
    if model.elements > 0:
        total += spatial_value_change(model, work, direction)
    return total


@kernel
def _body_change(model, work, direction):
    """Return direction^T (dQ - dM qdd) for the changes of gravity and of the bodies."""
    total = 0.0
    for k in range(model.bodies):
        i, j = model.body_index[k, 0], model.body_index[k, 1]
        mass, length, stretch = model.body_mass[k], model.body_length[k], work.d_length[k]
        x, y = model.body_centre[k, 0] / length, model.body_centre[k, 1] / length
        dx = (work.d_centre[k, 0] - x * stretch) / length
        dy = (work.d_centre[k, 1] - y * stretch) / length
        d_mass, square = work.d_mass[k], x * x + y * y
        spin = (work.d_inertia[k] - 2.0 * stretch / length * model.body_inertia[k]) / (
            length * length)
        second = spin + d_mass * square + 2.0 * mass * (x * dx + y * dy)
        first = d_mass * (1.0 - 2.0 * x) - 2.0 * mass * dx + second
        mixed, across = d_mass * x + mass * dx - second, d_mass * y + mass * dy
        ix, iy, jx, jy = (work.qdd[i], work.qdd[i + 1], work.qdd[j], work.qdd[j + 1])
        ax, ay = direction[i], direction[i + 1]
        bx, by = direction[j], direction[j + 1]
        total -= (ax * (first * ix + mixed * jx - across * jy)
                  + ay * (first * iy + mixed * jy + across * jx)
                  + bx * (second * jx + mixed * ix + across * iy)
                  + by * (second * jy + mixed * iy - across * ix))
        fx, fy = model.gravity[0], model.gravity[1]
        gx, gy = mass * work.d_gravity[0], mass * work.d_gravity[1]
        cx, cy = bx - ax, by - ay
        total += (d_mass * (ax * fx + ay * fy) + ax * gx + ay * gy
                  + (d_mass * x + mass * dx) * (fx * cx + fy * cy)
                  + (d_mass * y + mass * dy) * (fy * cx - fx * cy)
                  + x * (gx * cx + gy * cy) + y * (gy * cx - gx * cy))
    for k in range(model.solids):
        total += solid_change(model, work, k, direction)
    for row in range(model.n):
        total -= work.d_own_inertia[row] * direction[row] * work.qdd[row]
    return total


@separate(MODEL, WORK)
def parameter_derivative(model, work):
    """Write work.zdd_parameter = dzdd/dp (g) at constant z and zd for model_change of a parameter.

    Needs prepare_derivatives.  With the parameter p, q moves by dq = -S phi_p, qd by dqd = -S
    (phi_q_dot dq + phi_qp qd), and

        M_bar dzdd = dR^T (Q - M qdd) + R^T (dQ - M_p qdd) - R^T M dqdd   (dqdd: constant zdd)
        dqdd = -S [ (phi_qq dq) qdd + phi_qp qdd + (phi_q_dot)_q qd dq + phi_q_dot,p qd
                    + 2 phi_q_dot dqd ]
        dR^T v = -R^T ( sum_k mu_k phi_qq,k dq + phi_qp^T mu ),  mu = S^T v

    as in kernels.linearisation.  Where bodies roll, parameters move no points.
    """
    n_total, m = model.n_total, model.m
    dq, dqd, direction = work.q_p, work.qd_p, work.along
    right, pushes, more = work.right_p, work.push_p, work.phi_qp_v
    _move(model, work, right, dq)
    bilinear(model, work.q, work.qd, dq, right)
    _gradient_change(model, work, work.qd, more)
    for row in range(m):
        right[row] = -right[row] - more[row]
    apply_s(model, work, right, dqd)
    bilinear(model, work.q, work.qd, dqd, pushes)
    change_along(model, work.q, work.qd, work.qdd, dq, right)
    _gradient_change(model, work, work.qdd, more)
    for row in range(m):
        pushes[row] = 2.0 * pushes[row] + right[row] + more[row]
    _add_curvature_change(model, work, work.qd, pushes)
    for k in range(model.g):
        for row in range(n_total):
            direction[row] = work.R[row, k]
        _gradient_change(model, work, direction, more)
        total = (force_change(model, work, dq, dqd, direction)
                 + _force_change_by_values(model, work, direction)
                 + _body_change(model, work, direction))
        total -= weighted_bilinear(model, work.q, direction, dq, work.mu)
        for row in range(m):
            total += work.S_M_R[k, row] * pushes[row] - work.mu[row] * more[row]
        work.zdd_parameter[k] = total
    cholesky_solve(work.M_bar_factor, work.zdd_parameter, model.g)
    if model.rolls > 0:
        constrain_change(model, work, work.zdd_parameter)


@kernel
def parameter_jacobian(model, work, parameters, out):
    """After forward_dynamics: write dzdd/dp (g, p) for PARAMETER records (p)."""
    prepare_derivatives(model, work)
    for column in range(parameters.size):
        model_change(model, work, parameters[column])
        parameter_derivative(model, work)
        for k in range(model.g):
            out[k, column] = work.zdd_parameter[k]
