"""Correction of parameters by sigma points, then of the states by error_ekf_fe."""

from math import isfinite

from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    NOT_POSITIVE,
    SINGULAR,
    correct,
)
from mb_estimators.kernels.gain import kalman_gain
from mb_estimators.kernels.observation import observe
from mb_estimators.kernels.parameter_gain import assess_points, weigh_points, write_innovation
from mb_estimators.kernels.parameter_points import measure_points
from mb_estimators.kernels.parameter_values import change_model
from mb_estimators.kernels.sigma_points import place
from mb_estimators.records.filter import FILTER
from mb_estimators.records.parameter import DUAL, PARAMETERS
from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import forward_dynamics, solve_multipliers, solve_velocity, times_factor
from mb_model.record import MODEL, WORK


@kernel
def _keep(model, work, f, e):
    """Keep the prediction."""
    for row in range(model.n):
        e.q0[row] = work.q[row]
    for k in range(model.g):
        e.z0[k], e.zd0[k], e.force0[k] = work.z[k], work.zd[k], f.force[k]
    for b in range(f.biases):
        e.bias0[b] = f.bias[b]
    for i in range(e.count):
        e.s0[i] = e.s[i]


@separate(MODEL, WORK, FILTER, PARAMETERS, DUAL)
def _go_back(model, work, f, parameters, e):
    """Go back to the prediction."""
    for i in range(e.count):
        e.s[i] = e.s0[i]
    change_model(model, work, parameters, e, e.s)
    for row in range(model.n):
        work.q[row] = e.q0[row]
    for k in range(model.g):
        work.z[k], work.zd[k] = e.z0[k], e.zd0[k]
        work.forces[k] += e.force0[k] - f.force[k]
        f.force[k] = e.force0[k]
    for b in range(f.biases):
        f.bias[b] = e.bias0[b]
    forward_dynamics(model, work)
    solve_multipliers(model, work)


@separate(MODEL, WORK, FILTER, PARAMETERS, DUAL)
def _move(model, work, f, parameters, e):
    """Move the parameters by factor step and the states with them, by shift step.

    Returns False if the mechanism cannot be there.
    """
    p, g = e.count, model.g
    check = 0.0
    for i in range(p):
        for j in range(i + 1):
            e.s[i] += e.factor[i, j] * e.step[j]
        check += e.s[i]
    for i in range(f.states):
        e.x[i] = 0.0
        for j in range(p):
            e.x[i] += e.shift[i, j] * e.step[j]
        check += e.x[i]
    if not isfinite(check):
        return False
    for k in range(g):
        f.force[k] += e.x[2 * g + k]
        work.forces[k] += e.x[2 * g + k]
    for b in range(f.biases):
        f.bias[b] += e.x[f.motion + b]
    change_model(model, work, parameters, e, e.s)
    for k in range(g):                              # close the other mechanism, then move it
        e.high[k], e.high[g + k] = work.z[k], work.zd[k]
        e.x[k] += work.z[k]
        e.x[g + k] += work.zd[k]
    if not place(model, work, work.q, e.high[:]) or not place(model, work, work.q, e.x[:]):
        return False
    solve_multipliers(model, work)
    return True


@separate(MODEL, WORK, FILTER, DUAL)
def _leave_less(model, work, f, e):
    """After the correction of the states: shift' = (shift - K outputs) left, factor' = factor left.

    K is the gain of the states, which with other parameters would have been corrected by another
    innovation; M_bar K is the gain of the force.
    """
    p, g = e.count, model.g
    for j in range(p):
        for i in range(f.states):
            e.x[i] = 0.0
            for a in range(f.count):
                e.x[i] += f.gain[i, a] * e.outputs[f.present[a], j]
        for i in range(f.states):
            change = e.x[i]
            if 2 * g <= i < 3 * g:
                change = 0.0
                for k in range(g):
                    change += work.M_bar[i - 2 * g, k] * e.x[2 * g + k]
            e.shift[i, j] -= change
    times_factor(e.shift, e.left, f.states, p, e.shift)
    times_factor(e.factor, e.left, p, p, e.factor)


@entry
def correct_dual(models, works, channels, filters, point_models, point_works, parameters,
                 point_parameters, duals, readings):
    """Correct the parameters of the model by readings (NaN where there is none), then its states.

    Returns CORRECTED or why not; then everything is as it was.
    """
    model, work, f, e = models[0], works[0], filters[0], duals[0]
    if not solve_velocity(model, work) or not observe(model, work, channels, f, readings):
        return SINGULAR
    f.nis, f.rejected_count = 0.0, 0
    if f.count == 0:
        return CORRECTED
    if not kalman_gain(f):
        return NOT_POSITIVE
    if not measure_points(works, channels, point_models, point_works, filters, point_parameters,
                          duals):
        return SINGULAR
    assess_points(channels, f, e, readings)
    e.nis = 0.0
    write_innovation(f, e, readings)
    if f.count == 0:
        return CORRECTED
    if not weigh_points(f, e):
        return NOT_POSITIVE
    _keep(model, work, f, e)
    status = IMPOSSIBLE
    if _move(model, work, f, parameters, e):
        gate, f.gate = f.gate, 0.0                  # they have passed a wider one
        status = correct(models, works, channels, filters, e.readings[:channels.size])
        f.gate = gate
    if status == CORRECTED:
        _leave_less(model, work, f, e)
        write_innovation(f, e, readings)
    else:
        _go_back(model, work, f, parameters, e)
    return status
