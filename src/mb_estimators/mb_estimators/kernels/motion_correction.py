"""Correction of motion by readings, linearised where the correction leads to."""

from math import inf

from mb_estimators.kernels.biases import correct_biases
from mb_estimators.kernels.correction import CORRECTED, IMPOSSIBLE, NOT_POSITIVE, SINGULAR
from mb_estimators.kernels.covariance import correct_covariance
from mb_estimators.kernels.gain import kalman_gain
from mb_estimators.kernels.gate import leave_out_impossible
from mb_estimators.kernels.kept_innovation import copy_innovation
from mb_estimators.kernels.motion_observation import list_present, observe_motion
from mb_estimators.kernels.motion_state import distance, settle_position
from mb_estimators.kernels.scales import observe_scales
from mb_model.jit import entry, kernel
from mb_model.kernel_api import SMALL, solve_velocity

_STRAIGHT = 1e-4          # move, in radians or sizes, over which a mechanism is straight enough
_ITERATIONS = 10


@entry
def correct_motion(models, works, channels, filters, kinematics, readings):
    """Correct f.x and f.P by readings (NaN where there is none).

    Where the correction moves the mechanism by more than next to nothing, it is linearised there
    anew, until it stays: with encoders that determine the position this is Newton's iteration of
    forward kinematics, so that a wrong start does no harm (iterated extended Kalman filter).
    Source: Mohammad et al. 2025, Alg. 1; iterated as in Bell and Cathey 1993.
    Returns CORRECTED or why not; then f.x and f.P are as they were.  The mechanism is where the
    readings were linearised, very near the states.
    """
    model, work, f, y = models[0], works[0], filters[0], kinematics[0]
    f.nis = 0.0
    list_present(f, readings)
    if f.count == 0:
        f.rejected_count = 0
        return CORRECTED
    if not settle_position(model, work, f) or not observe_motion(
            model, work, channels, f, readings):
        return SINGULAR
    observe_scales(f, y)
    leave_out_impossible(f)
    if f.count == 0:
        return CORRECTED
    if not kalman_gain(f):
        return NOT_POSITIVE
    _keep_place(model, work, y)
    for i in range(f.motion):
        y.x0[i] = f.x[i]
        f.x[i] += f.dx[i]
    status = CORRECTED
    if not distance(model, work, f) < _STRAIGHT:
        status = _iterate(model, work, channels, f, y, readings)
    if status == CORRECTED and not correct_covariance(f):
        status = NOT_POSITIVE
    if status == CORRECTED:
        correct_biases(f)
        return CORRECTED
    for i in range(f.motion):
        f.x[i] = y.x0[i]
    _put_back(model, work, f, y)
    return status


@kernel
def _keep_place(model, work, y):
    """Note where the mechanism is."""
    for i in range(model.n):
        y.q0[i] = work.q[i]
    for k in range(model.g):
        y.z0[k] = work.z[k]


@kernel
def _put_back(model, work, f, y):
    """Put the mechanism where it was: a correction may have led farther than it can be followed."""
    for i in range(model.n):
        work.q[i] = y.q0[i]
    for k in range(model.g):
        work.z[k] = y.z0[k]
    settle_position(model, work, f)
    solve_velocity(model, work)


@kernel
def _iterate(model, work, channels, f, y, readings):
    """Linearise at the corrected states and correct from the prediction again, until they stay.

    Wild readings may lead farther with every iteration: what still moves then fits no position.
    """
    copy_innovation(f, y, f.count)
    move = inf
    for _ in range(_ITERATIONS):
        if not settle_position(model, work, f) or not observe_motion(
                model, work, channels, f, readings):
            return IMPOSSIBLE
        observe_scales(f, y)
        for a in range(f.count):
            for i in range(f.motion):
                f.residual[a] += f.H[a, i] * (f.x[i] - y.x0[i])
        if not kalman_gain(f):
            return NOT_POSITIVE
        for i in range(f.motion):
            f.x[i] = y.x0[i] + f.dx[i]
        move = distance(model, work, f)
        if move < _STRAIGHT:
            break
    if not move < SMALL or (move >= _STRAIGHT and not settle_position(model, work, f)):
        return IMPOSSIBLE
    copy_innovation(y, f, f.count)
    return CORRECTED
