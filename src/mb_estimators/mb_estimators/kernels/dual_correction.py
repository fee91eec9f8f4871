"""Correction of parameters by sigma points, then of the states by error_ekf_fe."""

from math import isfinite, isnan, nan

from numba import float64

from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    NOT_POSITIVE,
    SINGULAR,
    correct,
    observe_model,
)
from mb_estimators.kernels.covariance import factor_regularised
from mb_estimators.kernels.gain import kalman_gain, solve_gain
from mb_estimators.kernels.gate import is_credible
from mb_estimators.kernels.parameter_points import measure_points
from mb_estimators.kernels.parameters import change_model
from mb_estimators.kernels.sigma_points import put_at
from mb_estimators.records.filter import FILTER
from mb_estimators.records.parameter import DUAL, PARAMETERS
from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import cholesky_solve, forward_dynamics, solve_multipliers, times_factor
from mb_model.record import MODEL, WORK
from mb_sensors.kernel_api import CHANNELS


@kernel
def _row_of(f, channel):
    """Return the row of a channel among the present ones."""
    row = 0
    while f.present[row] != channel:
        row += 1
    return row


@separate(CHANNELS, FILTER, DUAL, float64[::1])
def assess_points(channels, f, e, readings):
    """Write e.kept, residual, residual_covariance, readings: of what is credible.

    The covariance is H P H^T + R of the states, already in f, and the covariance of the points.
    """
    kept = 0
    for c in range(channels.size):
        e.readings[c] = nan
    for a in range(f.count):
        c = f.present[a]
        variance = f.residual_covariance[a, a]
        for j in range(e.count):
            variance += e.outputs[c, j] ** 2 + e.bend[c, j] ** 2
        residual = f.residual[a] - e.mean[c]
        if not is_credible(f, residual, variance):
            continue
        e.kept[kept], e.residual[kept], e.readings[c] = c, residual, readings[c]
        for b in range(kept + 1):
            other = e.kept[b]
            total = f.residual_covariance[a, _row_of(f, other)]
            for j in range(e.count):
                total += (e.outputs[c, j] * e.outputs[other, j] + e.bend[c, j] * e.bend[other, j])
            e.residual_covariance[kept, b] = total
            e.residual_covariance[b, kept] = total
        kept += 1
    e.count_kept = kept


@separate(FILTER, DUAL, float64[::1])
def write_innovation(f, e, readings):
    """Write the innovation to f, with what was left out as not credible."""
    f.count, f.nis, f.rejected_count = e.count_kept, e.nis, 0
    for a in range(e.count_kept):
        f.present[a], f.residual[a] = e.kept[a], e.residual[a]
        for b in range(e.count_kept):
            f.residual_covariance[a, b] = e.residual_covariance[a, b]
    for c in range(readings.size):
        if not isnan(readings[c]) and isnan(e.readings[c]):
            f.rejected[f.rejected_count] = c
            f.rejected_count += 1


@separate(FILTER, DUAL)
def weigh_points(f, e):
    """Write e.step, nis and left from the innovation in f.

    With the gain factor outputs^T Sigma^-1 (Rodriguez et al. 2023, Eqs. (43), (44)), s moves by
    factor step, and the covariance becomes factor (I - outputs^T Sigma^-1 outputs) factor^T.
    Returns False if Sigma or that is not positive definite.
    """
    if not solve_gain(f):
        return False
    e.nis = f.nis
    k, p = f.count, e.count
    for j in range(p):
        e.step[j] = 0.0
        for a in range(k):
            e.step[j] += e.outputs[e.kept[a], j] * f.weighted[a]
    for j in range(p):
        for a in range(k):
            e.weighted[a] = e.outputs[e.kept[a], j]
        cholesky_solve(f.residual_factor, e.weighted, k)
        e.ones[j] = 1.0
        for i in range(j, p):
            e.remaining[i, j] = 1.0 if i == j else 0.0
            for a in range(k):
                e.remaining[i, j] -= e.outputs[e.kept[a], i] * e.weighted[a]
    return factor_regularised(e.remaining, e.ones, p, 0.0, e.left) >= 0.0


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
    if not put_at(model, work, work.q, e.high[:]) or not put_at(model, work, work.q, e.x[:]):
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
    f.nis, f.rejected_count = 0.0, 0
    status = observe_model(model, work, channels, f, readings)
    if status != CORRECTED or f.count == 0:
        return status
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
