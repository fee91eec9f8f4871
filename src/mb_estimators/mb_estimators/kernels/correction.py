"""The correction of a filter by readings, in stages, and of the model with it.

    observe     residuals and their derivatives H         observe_model, observe_motion
    gate        incredible readings are left out          gate.leave_out_incredible
    gain        innovation covariance, gain, step dx      gain.kalman_gain
    move        the mechanism goes to the step            move_model, or begin_states and a position
    covariance  Joseph's form                             covariance.correct_covariance
    roll back   where one of these fails                  return_to_prediction, end_states

Filters of errors of a model `assess` (the first three) and `apply_correction` (the others); filters
whose states are the motion itself, f.x, `weigh_readings` (gate and gain), begin_states, end_states.
"""

from math import isfinite

from numba import boolean, float64

from mb_estimators.kernels.covariance import correct_covariance
from mb_estimators.kernels.gain import kalman_gain
from mb_estimators.kernels.gate import leave_out_incredible
from mb_estimators.kernels.observation import observe
from mb_estimators.kernels.sensor_states import correct_biases
from mb_estimators.records.filter import FILTER
from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import (
    SMALL,
    SOLVED,
    apply_acceleration,
    follow_position,
    forward_dynamics,
    passed_share,
    solve_multipliers,
    solve_position,
    solve_velocity,
)
from mb_model.record import MODEL, WORK
from mb_sensors.kernel_api import CHANNELS

CORRECTED = 0
SINGULAR = 1              # the predicted position is singular
NOT_POSITIVE = 2          # a covariance is not positive definite
IMPOSSIBLE = 3            # the mechanism has no position, or no motion, that fits the readings


@kernel
def _correct_states(model, work, f):
    """Add the correction to the states of the model, f.x: Eq. (81); dx is what that changes."""
    g = model.g
    for k in range(g):
        f.x[k], f.x[g + k] = work.z[k], work.zd[k]
        if f.motion == 3 * g:
            f.x[2 * g + k] = work.zdd[k]
    for b in range(f.biases):
        f.x[f.motion + b] = f.bias[b]
    for i in range(f.states):
        before = f.x[i]
        f.x[i] += f.dx[i]
        f.dx[i] = f.x[i] - before


@kernel
def _move(model, work, f):
    """Add f.dx to z and zd, and solve the position problem on the same branch.

    Small moves start from the linearised position problem, R dz (Eq. 76); large ones, and ones
    that fail so, are followed continuously.  Returns whether there is such a position.
    """
    largest = 0.0
    for k in range(model.g):
        if not (isfinite(f.dx[k]) and isfinite(f.dx[model.g + k])):
            return False
        work.z[k] += f.dx[k]
        work.zd[k] += f.dx[model.g + k]
        largest = max(largest, abs(f.dx[k]) / model.scale[model.independent[k]])
    if largest < SMALL:
        for i in range(model.n):
            for k in range(model.g):
                work.q[i] += work.R[i, k] * f.dx[k]
        if solve_position(model, work) == SOLVED:
            return True
        for i in range(model.n):
            work.q[i] = f.q0[i]
    return follow_position(model, work)[0] == SOLVED


@kernel
def add_force(model, work, f):
    """Blame a force for the error dzdd of the accelerations: it grows by M_bar dzdd before drives.

    Source: Rodriguez et al. 2023, Eq. (80).  Updates f.force, work.forces, zdd, qdd.
    """
    for k in range(model.g):
        change = 0.0
        for j in range(model.g):
            change += work.M_bar[k, j] * f.dx[2 * model.g + j]
        change /= passed_share(model, work, k)
        f.force[k] += change
        work.forces[k] += change
        work.zdd[k] += f.dx[2 * model.g + k]
    apply_acceleration(model, work)
    solve_multipliers(model, work)


@separate(MODEL, WORK, FILTER)
def return_to_prediction(model, work, f):
    """Go back to what keep_prediction kept."""
    for i in range(model.n):
        work.q[i] = f.q0[i]
    for k in range(model.g):
        work.z[k] = f.z0[k]
        work.zd[k] = f.zd0[k]
    forward_dynamics(model, work)
    solve_multipliers(model, work)


@kernel
def keep_prediction(model, work, f):
    """Keep where return_to_prediction returns to."""
    for i in range(model.n):
        f.q0[i] = work.q[i]
    for k in range(model.g):
        f.z0[k], f.zd0[k] = work.z[k], work.zd[k]


@kernel
def keep_readings(channels, f, readings):
    """After assess, keep innovation, biases and credible readings, to observe them once more."""
    for b in range(f.biases):
        f.begin_bias[b] = f.bias[b]
    for channel in range(channels.size):
        f.readings[channel] = readings[channel]
    for a in range(f.rejected_count):
        f.readings[f.rejected[a]] = float('nan')
    for a in range(f.count):
        f.innovation[a] = f.residual[a]


@separate(MODEL, WORK, FILTER)
def move_model(model, work, f):
    """Add f.dx to z and zd; solve position problem, velocity problem and dynamics there exactly.

    Needs what solve_velocity leaves at the prediction, which is kept.  Returns False, the model at
    the prediction again, if the mechanism has no such position or is singular there.
    """
    keep_prediction(model, work, f)
    if not _move(model, work, f) or not forward_dynamics(model, work):
        return_to_prediction(model, work, f)
        return False
    solve_multipliers(model, work)
    return True


@separate(MODEL, WORK, FILTER)
def apply_correction(model, work, f):
    """Move the model by f.dx, and correct f.P; acceleration errors become forces.

    Returns CORRECTED or why not; then the model and f.P are as they were.
    """
    if not move_model(model, work, f):
        return IMPOSSIBLE
    if not correct_covariance(f):
        return_to_prediction(model, work, f)
        return NOT_POSITIVE
    if f.motion == 3 * model.g:
        add_force(model, work, f)
    correct_biases(f)
    return CORRECTED


@kernel
def observe_model(model, work, channels, f, readings):
    """Compare the readings with the model at its state; return CORRECTED or SINGULAR."""
    if not solve_velocity(model, work) or not observe(model, work, channels, f, readings):
        return SINGULAR
    return CORRECTED


@separate(FILTER, boolean)
def weigh_readings(f, unless_all):
    """Leave out incredible readings, see leave_out_incredible; write gain, dx, nis of the others.

    Returns CORRECTED or NOT_POSITIVE; f.count is 0 if there is nothing to correct by.
    """
    leave_out_incredible(f, unless_all)
    f.nis = 0.0
    if f.count > 0 and not kalman_gain(f):
        return NOT_POSITIVE
    return CORRECTED


@kernel
def begin_states(f):
    """Move the states of the motion, f.x, by the correction; f.x0 keeps where they were."""
    for i in range(f.motion):
        f.x0[i] = f.x[i]
        f.x[i] += f.dx[i]


@kernel
def end_states(f, status):
    """Correct f.P and biases if the mechanism was moved; else, or if that fails, put f.x back.

    Returns CORRECTED, why the mechanism was not moved, or NOT_POSITIVE.
    """
    if status == CORRECTED and not correct_covariance(f):
        status = NOT_POSITIVE
    if status == CORRECTED:
        correct_biases(f)
        return status
    for i in range(f.motion):
        f.x[i] = f.x0[i]
    return status


@separate(MODEL, WORK, CHANNELS, FILTER, float64[::1])
def assess(model, work, channels, f, readings):
    """Compare the readings with the model: write f.residual, its covariance, gain, dx, nis.

    Returns CORRECTED, SINGULAR or NOT_POSITIVE; f.count is 0 if there is nothing to correct by.
    """
    status = observe_model(model, work, channels, f, readings)
    return weigh_readings(f, False) if status == CORRECTED else status


@entry
def correct(models, works, channels, filters, readings):
    """Correct work.q, qd, qdd (z, zd, zdd) and f.P by readings (NaN where there is none).

    Error-state form: the states, zero before, are the correction of the model; direct form (if
    f.direct): the states are z, zd and zdd of the model themselves.  Biases of sensors follow them.
    Source: Rodriguez et al. 2023, Secs. 7.1, 7.3 and 7.4.
    Returns CORRECTED or why not; then the state and f.P are as they were.
    """
    model, work, f = models[0], works[0], filters[0]
    status = assess(model, work, channels, f, readings)
    if status != CORRECTED or f.count == 0:
        return status
    if f.direct == 1:
        _correct_states(model, work, f)
    return apply_correction(model, work, f)
