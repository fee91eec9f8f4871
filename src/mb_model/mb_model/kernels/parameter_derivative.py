"""Exact derivatives of the accelerations of the degrees of freedom by parameters of the model."""


from mb_model.jit import by_number, kernel, separate
from mb_model.kernels.constraint_products import bilinear, change_along, weighted_bilinear
from mb_model.kernels.forces import force_change
from mb_model.kernels.linear_algebra import cholesky_solve
from mb_model.kernels.linearisation import prepare_derivatives
from mb_model.kernels.model_change import model_change
from mb_model.kernels.rolling_changes import constrain_change
from mb_model.kernels.spatial_constraints import add_bilinear_change
from mb_model.kernels.transformation import apply_s
from mb_model.kernels.value_changes import body_change, force_change_by_values
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
def _move_points(model, work):
    """Write dq, dqd and pushes, the bracket in the derivative of qdd, to work.q_p, qd_p, push_p."""
    m, dq, dqd = model.m, work.q_p, work.qd_p
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


@kernel
def _keep_points(model, work):
    """Write what _move_points does where no points move: zeros."""
    for row in range(model.n_total):
        work.q_p[row] = work.qd_p[row] = 0.0
    for row in range(model.m):
        work.push_p[row] = 0.0


@kernel
def _along_points(model, work, k, direction):
    """Return what moving points add to M_bar dzdd along a direction, column k of R."""
    _gradient_change(model, work, direction, work.phi_qp_v)
    total = force_change(model, work, work.q_p, work.qd_p, direction) - weighted_bilinear(
        model, work.q, direction, work.q_p, work.mu)
    for row in range(model.m):
        total += (work.S_M_R[k, row] * work.push_p[row] - work.mu[row] * work.phi_qp_v[row])
    return total


@separate(MODEL, WORK)
def needed_change(model, work):
    """Write work.zdd_parameter = M_bar dzdd/dp (g), see parameter_derivative.

    It is less what inverse dynamics changes by: dforce/dp = -M_bar dzdd/dp.
    """
    if work.moving_points:
        _move_points(model, work)
    else:
        _keep_points(model, work)
    direction, pushes = work.along, work.right_p
    body_change(model, work, pushes)
    for k in range(model.g):
        total = 0.0
        for row in range(model.n_total):
            direction[row] = work.R[row, k]
            total += direction[row] * pushes[row]
        total += force_change_by_values(model, work, direction)
        if work.moving_points:
            total += _along_points(model, work, k, direction)
        work.zdd_parameter[k] = total


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
    needed_change(model, work)
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
