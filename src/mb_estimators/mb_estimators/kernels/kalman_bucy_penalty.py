"""The continuous EKF on the penalty formulation, as published: Kalman and Bucy's equations."""


from mb_estimators.kernels.correction import CORRECTED, IMPOSSIBLE, NOT_POSITIVE
from mb_estimators.kernels.covariance import copy_square
from mb_estimators.kernels.dependent_correction import assess_dependent
from mb_estimators.kernels.dependent_equations import differentiate, prepare_derivatives
from mb_estimators.kernels.dependent_state import accelerate, holds_together, keep, return_to_kept
from mb_estimators.kernels.kalman_bucy_step import (
    ITERATIONS,
    TOLERANCE,
    accept_step,
    add_pull,
    begin_step,
    forget_readings,
    forget_step,
    improve,
    inform,
    move_covariance,
    write_gain,
    write_missing,
    write_pull,
)
from mb_estimators.kernels.published_jacobians import differentiate_penalty_method
from mb_estimators.kernels.sensor_states import add_biases
from mb_model.jit import entry, kernel
from mb_model.kernel_api import (
    PENALTY_FORMULATION as PENALTY,
    accelerations,
    cholesky_factor,
    set_time,
    square_of_factor,
)
from mb_sensors.kernel_api import difference, measure


@entry
def start_penalty(models, works, filters, steps):
    """Begin at work.q, qd with the covariance of f.factor, before any reading.

    The noise of the accelerations has the density q_c for each coordinate.  Returns False if the
    penalty method has no accelerations there.
    """
    model, work, f, c = models[0], works[0], filters[0], steps[0]
    n, size = model.n, f.states
    c.step = 0.0
    for i in range(size):
        c.density[i] = 0.0
        for j in range(size):
            c.f[i, j] = 0.0
    square_of_factor(f.factor, size, c.P)
    for i in range(n):
        c.density[n + i] = f.acceleration_psd[0]
    for b in range(f.biases):
        c.density[f.motion + b] = f.bias_walk[b]
    _read_state(model, work, f, c)
    forget_readings(c, size)
    if not accelerations(model, work, PENALTY):
        return False
    _write_rate(model, work, f, c)
    differentiate_penalty_method(model, work, c.f)
    return True


@entry
def predict_penalty_as_published(models, works, channels, filters, steps, readings, h):
    """Integrate q, qd and P over h [s], without readings at its end.

    Nothing but the penalty holds the constraints.
    Source: Rodriguez et al. 2023, Eqs. (16), (29), (31).  Returns False if the model cannot, or
    where the constraints are violated by a tenth of the mechanism.
    """
    model, work, f, c = models[0], works[0], filters[0], steps[0]
    if not accelerations(model, work, PENALTY):
        return False
    _write_rate(model, work, f, c)
    begin_step(c, f.states, h)
    set_time(model, work, work.t + h)
    for i in range(model.n):
        c.x[i] += h * work.qd[i]
    return (_iterate(model, work, channels, f, c, readings, False)
            and holds_together(model, work)
            and move_covariance(c, f.states) and _take_factor(f, c.P))


@entry
def correct_penalty_as_published(models, works, channels, filters, steps, readings):
    """Integrate the last step again, with readings (NaN where there is none) at its end.

    As in kalman_bucy.  Source: Rodriguez et al. 2023, Eqs. (14), (16), (32).
    Returns CORRECTED or why not; then the state is as it was.
    """
    model, work, f, c = models[0], works[0], filters[0], steps[0]
    status = assess_dependent(model, work, channels, f, readings)
    if status != CORRECTED or f.count == 0:
        return status
    inform(c, f)
    if c.step == 0.0:
        write_gain(c, f)
        add_pull(c, f, f.misfit)
        return CORRECTED
    keep(model, work, f)
    copy_square(c.P, c.predicted_P, f.states)
    status = NOT_POSITIVE
    if move_covariance(c, f.states) and _take_factor(f, c.P):
        write_gain(c, f)
        status = IMPOSSIBLE
        if (_iterate(model, work, channels, f, c, readings, True) and holds_together(model, work)
                and accelerate(model, work) == f.branch):
            status = CORRECTED
    if status != CORRECTED:
        _go_back(model, work, f, c)
        return status
    accept_step(c, f)
    return CORRECTED


@kernel
def _read_state(model, work, f, c):
    """Write c.x from work.q, qd and the biases."""
    for i in range(model.n):
        c.x[i], c.x[model.n + i] = work.q[i], work.qd[i]
    for b in range(f.biases):
        c.x[f.motion + b] = f.bias[b]


@kernel
def _go_back(model, work, f, c):
    """Go back to the prediction."""
    return_to_kept(model, work, f)
    _read_state(model, work, f, c)
    forget_step(c, f.states)
    if accelerations(model, work, PENALTY):
        _write_rate(model, work, f, c)
        differentiate_penalty_method(model, work, c.f)
    accelerate(model, work)


@kernel
def _take_factor(f, P):
    """Write the factor of P to f.factor; returns False if P is not positive definite."""
    for i in range(f.states):
        for j in range(i + 1):
            f.factor[i, j] = P[i, j]
    return cholesky_factor(f.factor, f.states)


@kernel
def _write_rate(model, work, f, c):
    """Write c.rate = F(x) = [qd; qdd; 0] after accelerations."""
    for i in range(model.n):
        c.rate[i], c.rate[model.n + i] = work.qd[i], work.qdd[i]
    for b in range(f.motion, f.states):
        c.rate[b] = 0.0


@kernel
def _iterate(model, work, channels, f, c, readings, fed):
    """Solve the step from c.x, with the feedback of readings if fed; see kalman_bucy_step.

    Returns whether it converged; then c.rate and c.f are those there.
    """
    for _ in range(ITERATIONS):
        for i in range(model.n):
            work.q[i], work.qd[i] = c.x[i], c.x[model.n + i]
        for b in range(f.biases):
            f.bias[b] = c.x[f.motion + b]
        if fed:
            if accelerate(model, work) == 0.0:
                return False
            prepare_derivatives(model, work, channels, readings)
            for a in range(f.count):
                differentiate(model, work, channels, f.present[a], f, a)
        if not accelerations(model, work, PENALTY):
            return False
        _write_rate(model, work, f, c)
        if fed:
            measure(channels, work.q[:], work.qd[:], work.qdd[:], f.h[:])
            add_biases(channels, f)
            for a in range(f.count):
                channel = f.present[a]
                f.misfit[a] = difference(channels[channel], readings[channel], f.h[channel])
            write_pull(c, f, f.misfit)
        missing = write_missing(c, f.states)
        differentiate_penalty_method(model, work, c.f)
        if missing <= TOLERANCE:
            return True
        if not improve(c, f, fed):
            return False
    return False
