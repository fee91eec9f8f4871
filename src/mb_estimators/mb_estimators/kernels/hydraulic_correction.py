"""Correction of motion and oil by encoders, pressures, and any other sensor of the mechanism."""


from mb_estimators.kernels.acceleration_jump import allow_for_jump
from mb_estimators.kernels.biases import correct_biases, observe_bias
from mb_estimators.kernels.correction import CORRECTED, IMPOSSIBLE, NOT_POSITIVE, SINGULAR
from mb_estimators.kernels.covariance import correct_covariance
from mb_estimators.kernels.gain import kalman_gain
from mb_estimators.kernels.gate import leave_out_impossible_if_not_all
from mb_estimators.kernels.hydraulic_state import report, settle
from mb_estimators.kernels.motion_observation import list_present, observe_motion
from mb_model.jit import entry, kernel


@entry
def correct_hydraulic(models, works, circuits, fluids, channels, filters, hydraulics, readings):
    """Correct f.x and f.P by readings (NaN where there is none): Eqs. (39), (41), (42).

    Source: Pyrhonen et al. 2023b.  Returns CORRECTED or why not; then f.x and f.P are as they were.
    """
    model, work, f, y = models[0], works[0], filters[0], hydraulics[0]
    f.nis = 0.0
    if not _observe(model, work, channels, f, y, readings):
        return SINGULAR
    allow_for_jump(f, model.g)
    leave_out_impossible_if_not_all(f)
    if f.count > 0:
        status = _correct(model, work, f, y)
        if status != CORRECTED:
            return status
    if y.solved == 0 and not settle(model, work, f, y):
        return SINGULAR
    report(model, circuits[0], fluids[0], f, y)
    return CORRECTED


@kernel
def _observe(model, work, channels, f, y, readings):
    """Write f.present, residual, variance and H; return False at a singular position.

    Channels that read a state itself need no mechanism.
    """
    list_present(f, readings)
    if y.direct == 1:
        for channel in range(channels.size):
            f.variance[channel] = f.sensor_variance[channel]
    elif (y.solved == 0 and not settle(model, work, f, y)) or not observe_motion(
            model, work, channels, f, readings):
        return False
    observe_states(f, y, readings)
    return True


@kernel
def observe_states(f, y, readings):
    """Write the rows of f.residual and H of the channels that read a state itself."""
    for row in range(f.count):
        channel = f.present[row]
        state, unit = y.state_of[channel], y.unit_of[channel]
        if state < 0:
            continue
        for i in range(f.motion):
            f.H[row, i] = 0.0
        f.H[row, state] = unit
        f.residual[row] = readings[channel] - unit * f.x[state]
        if f.bias_of[channel] >= 0:
            f.residual[row] -= f.bias[f.bias_of[channel]]
        observe_bias(f, row, channel)


@kernel
def _correct(model, work, f, y):
    """Apply the Kalman gain; return CORRECTED or why not."""
    if not kalman_gain(f):
        return NOT_POSITIVE
    for i in range(f.motion):
        y.x0[i] = f.x[i]
        f.x[i] += f.dx[i]
    possible = settle(model, work, f, y)
    if possible and correct_covariance(f):
        correct_biases(f)
        return CORRECTED
    for i in range(f.motion):
        f.x[i] = y.x0[i]
    settle(model, work, f, y)
    return NOT_POSITIVE if possible else IMPOSSIBLE
