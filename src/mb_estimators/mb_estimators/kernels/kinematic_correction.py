"""Correction of positions, velocities and accelerations that know no dynamics, and the forces."""

from numba import njit

from mb_estimators.kernels.biases import correct_biases
from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    NOT_POSITIVE,
    SINGULAR,
    move_model,
    return_to_prediction,
)
from mb_estimators.kernels.covariance import correct_covariance
from mb_estimators.kernels.disturbance import observe_disturbance
from mb_estimators.kernels.gain import kalman_gain
from mb_estimators.kernels.gate import leave_out_impossible
from mb_estimators.kernels.kinematic_state import impose_accelerations, observe_kinematics
from mb_model.kernels.velocity import solve_velocity
from mb_sensors.kernels.measurement import reads_accelerations


@njit(cache=True)
def correct_kinematic(models, works, channels, filters, disturbances, readings):
    """Correct z, zd, zdd (and the jerk) and f.P by readings (NaN where there is none).

    What accelerometers read is also kept as input of the next step, see predict_kinematic.  Then
    the second stage: forces from inverse dynamics.
    Source: Rodriguez et al. 2023, Sec. 8.
    Returns CORRECTED or why not; then the state and f.P are as they were.
    """
    model, work, f = models[0], works[0], filters[0]
    f.nis = 0.0
    if not solve_velocity(model, work) or not observe_kinematics(
            model, work, channels, f, readings):
        return SINGULAR
    leave_out_impossible(f)
    _keep_inputs(channels, f, readings)
    if f.count > 0:
        status = _correct(model, work, f)
        if status != CORRECTED:
            return status
    observe_disturbance(model, work, f, disturbances[0])
    return CORRECTED


@njit(cache=True)
def _keep_inputs(channels, f, readings):
    """Keep what the accelerometers read for the next step."""
    for a in range(f.count):
        channel = f.present[a]
        if reads_accelerations(channels[channel]):
            f.readings[channel] = readings[channel]


@njit(cache=True)
def _correct(model, work, f):
    """Apply the Kalman gain; return CORRECTED or why not."""
    if not kalman_gain(f):
        return NOT_POSITIVE
    if not move_model(model, work, f):
        return IMPOSSIBLE
    if not correct_covariance(f):
        return_to_prediction(model, work, f)
        return NOT_POSITIVE
    for i in range(2 * model.g, f.motion):
        f.x[i] += f.dx[i]
    correct_biases(f)
    impose_accelerations(model, work, f)
    return CORRECTED
