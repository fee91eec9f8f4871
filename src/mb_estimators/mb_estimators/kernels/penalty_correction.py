"""The continuous EKF with a penalty model: the last step integrated anew, with feedback."""

from math import isfinite

from mb_estimators.kernels.array_correction import take_factor, weigh
from mb_estimators.kernels.correction import CORRECTED, IMPOSSIBLE, NOT_POSITIVE
from mb_estimators.kernels.dependent_correction import assess_dependent
from mb_estimators.kernels.dependent_equations import differentiate, prepare_derivatives
from mb_estimators.kernels.dependent_state import accelerate, keep, return_to_kept
from mb_estimators.kernels.feedback import (
    begin_feedback,
    factor_with_feedback,
    solve_with_feedback,
)
from mb_estimators.kernels.penalty_prediction import (
    confine,
    differentiate_penalty,
    hold_constraints,
    write_step_tangent,
)
from mb_estimators.kernels.sensor_states import add_biases
from mb_model.jit import entry, kernel
from mb_model.kernel_api import (
    PENALTY_FORMULATION as PENALTY,
    accelerations,
    has_converged,
)
from mb_sensors.kernel_api import difference, measure

_TOLERANCE = 1e-10        # of the last increment of q and qd, relative to 1 + their size
_ROUNDING = 1e-7          # an increment this small that shrinks no more is rounding
_ITERATIONS = 30
_SLOW = 0.3               # an increment beyond this share of the last one asks for a new tangent


@entry
def correct_penalty(models, works, channels, filters, steps, readings):
    """Integrate the last step again with the feedback of the readings; correct the covariance.

        q  = q0  + h/2 (qd0 + qd)              + K1 (o - h(x))
        qd = qd0 + h/2 (qdd0 + qdd(q, qd))     + K2 (o - h(x)),      K = P H^T R^-1

    K is the gain of Eq. (14) times h for measurements of the power spectral density R h.  Biases
    take part, with no motion of their own.
    Source: Rodriguez et al. 2023, Eqs. (28), (32), with the exact tangent.
    Returns CORRECTED or why not; then the state is as it was.
    """
    model, work, f, p = models[0], works[0], filters[0], steps[0]
    status = assess_dependent(model, work, channels, f, readings)
    if status != CORRECTED or f.count == 0:
        return status
    keep(model, work, f)
    _write_feedback(f, p)
    if not weigh(f, f.count):
        return NOT_POSITIVE
    take_factor(f, f.count)
    if not (_iterate(model, work, channels, f, p, readings) and hold_constraints(model, work, f)
            and accelerate(model, work) == f.branch):
        return_to_kept(model, work, f)
        return IMPOSSIBLE
    confine(models, works, filters)
    p.step = 0.0              # what comes next, if not a step, begins here
    return CORRECTED


@kernel
def _write_feedback(f, p):
    """Write P H^T of the rows of f.H, from the factor of P before the correction."""
    for a in range(f.count):
        p.noise[a] = f.noise[a, a] * f.noise[a, a]
        for j in range(f.states):
            f.weighted[j] = 0.0
            for i in range(j, f.states):
                f.weighted[j] += f.factor[i, j] * f.H[a, i]
        for i in range(f.states):
            total = 0.0
            for j in range(i + 1):
                total += f.factor[i, j] * f.weighted[j]
            p.feedback[i, a] = total
    begin_feedback(p, f.H, p.feedback, f.count, f.states)


@kernel
def _iterate(model, work, channels, f, p, readings):
    """Newton's iteration from the prediction; returns whether it converged.

    The tangent is kept while that is fast.
    """
    n, size, slow, last = model.n, f.states, True, 1e300
    if p.step == 0.0:
        for i in range(n):
            p.begin_q[i], p.begin_qd[i] = work.q[i], work.qd[i]
    for _ in range(_ITERATIONS):
        if slow:
            if accelerate(model, work) == 0.0:
                return False
            prepare_derivatives(model, work, channels, readings)
            for a in range(f.count):
                differentiate(model, work, channels, f.present[a], f, a)
        if not accelerations(model, work, PENALTY):
            return False
        _write_missing(model, work, channels, f, p, readings)
        if slow:
            differentiate_penalty(model, work, p)
            _write_tangent(model, f, p)
            if not factor_with_feedback(
                    p, p.tangent, p.pivots, f.H, p.feedback, f.count, size):
                return False
        solve_with_feedback(p, p.tangent, p.pivots, f.H, p.residual, f.count, size, p.missing)
        change = 0.0      # a sum, because a maximum loses what is not a number
        for i in range(n):
            work.q[i] += p.missing[i]
            work.qd[i] += p.missing[n + i]
            change += (abs(p.missing[i]) / (1.0 + abs(work.q[i]))
                       + abs(p.missing[n + i]) / (1.0 + abs(work.qd[i])))
        for b in range(f.biases):
            f.bias[b] += p.missing[f.motion + b]
            change += abs(p.missing[f.motion + b]) / (1.0 + abs(f.bias[b]))
        if not isfinite(change):
            return False
        if has_converged(change, last, _TOLERANCE, _ROUNDING, 0.5):
            return True
        slow = change > _SLOW * last
        last = change
    return False


@kernel
def _write_missing(model, work, channels, f, p, readings):
    """Write what is missing in the step without feedback, and how far readings are off.

    At work.q, qd, qdd and f.bias.
    """
    n, half = model.n, 0.5 * p.step
    measure(channels, work.q[:], work.qd[:], work.qdd[:], f.h[:])
    add_biases(channels, f)
    for i in range(n):
        p.missing[i] = p.begin_q[i] + half * (p.begin_qd[i] + work.qd[i]) - work.q[i]
        p.missing[n + i] = (p.begin_qd[i] + half * (p.begin_qdd[i] + work.qdd[i]) - work.qd[i])
    for b in range(f.biases):
        p.missing[f.motion + b] = f.bias0[b] - f.bias[b]
    for a in range(f.count):
        channel = f.present[a]
        p.residual[a] = difference(channels[channel], readings[channel], f.h[channel])


@kernel
def _write_tangent(model, f, p):
    """Write the tangent of the step without feedback; biases are not moved by it."""
    write_step_tangent(p, model.n)
    for b in range(f.motion, f.states):
        for i in range(f.states):
            p.tangent[b, i], p.tangent[i, b] = 0.0, 0.0
        p.tangent[b, b] = 1.0
