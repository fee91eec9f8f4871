"""Estimated parameters: the model with them, and how motion and readings change with them."""

from math import exp

from mb_estimators.kernels.sensor_states import reading_jacobian
from mb_model.jit import entry, kernel
from mb_model.kernel_api import (
    apply_s,
    cholesky_solve,
    mass_matrix,
    model_change,
    parameter_derivative,
    prepare_derivatives,
    set_parameter,
    write_fixed,
)


@kernel
def value_by_s(parameters, e, k):
    """Return dp/ds of parameter k."""
    return parameters[k].value if e.positive[k] == 1 else e.unit[k]


@kernel
def change_model(model, work, parameters, e, s):
    """Give the model the parameters that belong to s (p); work.M and the fixed points follow.

    e: an AUGMENTED or DUAL record.  The position is to be solved again.
    """
    for k in range(e.count):
        value = e.start[k] + e.unit[k] * s[k]
        if e.positive[k] == 1:
            value = e.start[k] * exp(s[k])
        set_parameter(model, parameters[k], value)
    mass_matrix(model, work.M)
    write_fixed(model, work)


@entry
def use_parameter_values(models, works, parameters, estimated, s):
    """Note the numbers s (p), and give the model their parameters; see change_model."""
    e = estimated[0]
    for k in range(e.count):
        e.s[k] = s[k]
    change_model(models[0], works[0], parameters, e, e.s)


@entry
def restart_parameters(models, works, parameters, estimated):
    """Go back to the values of the mechanism file."""
    e = estimated[0]
    for k in range(e.count):
        e.s[k] = 0.0
    change_model(models[0], works[0], parameters, e, e.s)


@kernel
def _derive(model, work, parameters, e, c):
    """Write work.zdd_parameter = dzdd/dp of parameter c, and what parameter_derivative leaves.

    A gain or an offset of a known force changes no number of the model, and moves no point.
    """
    k = e.force_of[c]
    if k < 0:
        model_change(model, work, parameters[c])
        parameter_derivative(model, work)
        return
    for row in range(model.n_total):
        work.q_p[row] = work.qd_p[row] = 0.0
    for row in range(model.m):
        work.push_p[row] = 0.0
    for i in range(model.g):
        work.zdd_parameter[i] = e.by_parameter[c] if i == k else 0.0
    cholesky_solve(work.M_bar_factor, work.zdd_parameter, model.g)


@kernel
def _prepare(model, work, e):
    """Do prepare_derivatives if a parameter is a number of the model."""
    for c in range(e.count):
        if e.force_of[c] < 0:
            prepare_derivatives(model, work)
            return


@kernel
def acceleration_by_parameter(model, work, parameters, e, c):
    """Write work.zdd_parameter = dzdd/ds (g) of parameter c at constant z, zd.

    Needs prepare_derivatives.
    """
    _derive(model, work, parameters, e, c)
    rate = value_by_s(parameters, e, c)
    for k in range(model.g):
        work.zdd_parameter[k] *= rate


@kernel
def accelerations_by_parameters(model, work, parameters, e, out):
    """After forward_dynamics: write dzdd/ds (g, p) of all parameters to out."""
    _prepare(model, work, e)
    for c in range(e.count):
        acceleration_by_parameter(model, work, parameters, e, c)
        for k in range(model.g):
            out[k, c] = work.zdd_parameter[k]


@kernel
def motion_by_parameters(model, work, parameters, e):
    """Write e.q_s, qd_s, qdd_s (n_total, p) at constant z and zd.  Needs forward_dynamics.

    qdd_s = R dzdd/ds - S (...), the bracket of mb_model's parameter_derivative.
    """
    _prepare(model, work, e)
    for c in range(e.count):
        _derive(model, work, parameters, e, c)
        rate = value_by_s(parameters, e, c)
        for row in range(model.m):
            work.right[row] = work.push_p[row]
        apply_s(model, work, work.right, work.dqdd)
        for i in range(model.n_total):
            dqdd = -work.dqdd[i]
            for k in range(model.g):
                dqdd += work.R[i, k] * work.zdd_parameter[k]
            e.q_s[i, c] = work.q_p[i] * rate
            e.qd_s[i, c] = work.qd_p[i] * rate
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
