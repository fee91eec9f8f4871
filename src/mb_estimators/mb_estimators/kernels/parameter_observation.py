"""How positions, velocities, accelerations and readings change with parameters of the model."""


from mb_estimators.kernels.mountings import reading_jacobian
from mb_estimators.kernels.parameter_values import value_by_s
from mb_model.jit import entry, kernel
from mb_model.kernel_api import (
    apply_s,
    cholesky_solve,
    model_change,
    parameter_derivative,
    prepare_derivatives,
)


@kernel
def add_known_force(model, work, e, c):
    """Add dzdd/dp of a gain or offset of a known force to work.zdd_parameter; it moves no more."""
    k = e.force_of[c]
    if k < 0:
        return
    by_force = work.small1
    for i in range(model.g):
        by_force[i] = e.by_parameter[c] if i == k else 0.0
    cholesky_solve(work.M_bar_factor, by_force, model.g)
    for i in range(model.g):
        work.zdd_parameter[i] += by_force[i]


@kernel
def acceleration_by_parameter(model, work, parameters, e, c):
    """Write work.zdd_parameter = dzdd/ds (g) of parameter c at constant z, zd.

    Needs prepare_derivatives.
    """
    model_change(model, work, parameters[c])
    parameter_derivative(model, work)
    add_known_force(model, work, e, c)
    rate = value_by_s(parameters, e, c)
    for k in range(model.g):
        work.zdd_parameter[k] *= rate


@kernel
def accelerations_by_parameters(model, work, parameters, e, out):
    """After forward_dynamics: write dzdd/ds (g, p) of all parameters to out."""
    if e.count == 0:
        return
    prepare_derivatives(model, work)
    for c in range(e.count):
        acceleration_by_parameter(model, work, parameters, e, c)
        for k in range(model.g):
            out[k, c] = work.zdd_parameter[k]


@kernel
def motion_by_parameters(model, work, parameters, e):
    """Write e.q_s, qd_s, qdd_s (n_total, p) at constant z and zd.  Needs forward_dynamics.

    qdd_s = R dzdd/ds - S (...), the bracket of mb_model's parameter_derivative.
    """
    prepare_derivatives(model, work)
    for c in range(e.count):
        model_change(model, work, parameters[c])
        parameter_derivative(model, work)       # leaves dq, dqd in vector1, 2, the bracket in
        add_known_force(model, work, e, c)
        rate = value_by_s(parameters, e, c)
        right, back = work.vector4, work.vector5                                    # residual
        for row in range(model.m):
            right[row] = work.residual[row]
        apply_s(model, work, right, back)
        for i in range(model.n_total):
            dqdd = -back[i]
            for k in range(model.g):
                dqdd += work.R[i, k] * work.zdd_parameter[k]
            e.q_s[i, c] = work.vector1[i] * rate
            e.qd_s[i, c] = work.vector2[i] * rate
            e.qdd_s[i, c] = dqdd * rate


@kernel
def observe_parameters(model, work, channels, f, e):
    """Write the columns of f.H that belong to parameters: h_q q_s + h_qd qd_s + h_qdd qdd_s."""
    for row in range(f.count):
        reading_jacobian(model, work, channels, f, f.present[row])
        for c in range(e.count):
            total = 0.0
            for i in range(model.n_total):
                total += (f.h_q[i] * e.q_s[i, c] + f.h_qd[i] * e.qd_s[i, c]
                          + f.h_qdd[i] * e.qdd_s[i, c])
            f.H[row, e.first + c] = total


@entry
def write_accelerations(models, works, parameters, estimated, exponentials):
    """After forward_dynamics: write zdd_s of an EXPONENTIAL record."""
    accelerations_by_parameters(models[0], works[0], parameters, estimated[0],
                                exponentials[0].zdd_s)
