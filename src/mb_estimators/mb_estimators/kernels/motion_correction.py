"""Correction of motion by readings, linearised where the correction leads to."""

from math import inf

from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    NOT_POSITIVE,
    SINGULAR,
    begin_states,
    end_states,
    weigh_readings,
)
from mb_estimators.kernels.gain import copy_innovation, kalman_gain
from mb_estimators.kernels.motion_observation import (
    distance,
    list_present,
    observe_motion,
    settle_position,
)
from mb_estimators.records.filter import B, K
from mb_model.jit import INTEGER, REAL, RecordType, entry, kernel
from mb_model.kernel_api import SMALL, solve_velocity
from mb_model.record import G, N

KINEMATIC = RecordType(
    'mb_estimators.kernels.motion_correction.KINEMATIC', states=[
    ('offsets', INTEGER),                              # biases among what is behind the motion
    ('scales', INTEGER), ('first_scale', INTEGER),     # sensitivities there: how many, from where
    ('target', INTEGER, (B,)), ('source', INTEGER, (B,)),      # channel that has it, and of which
], correction=[
    ('q0', REAL, (N,)), ('z0', REAL, (G,)),            # where the mechanism is at the prediction
    # how readings fitted it, while the correction goes on to better positions
    ('residual', REAL, (K,)), ('residual_covariance', REAL, (K, K)), ('nis', REAL),
    ('row', INTEGER, (K,)),                            # of each channel that is present, or -1
])


@kernel
def observe_scales(f, y):
    """Let f.residual and f.H of the channels f.present know their errors of sensitivity.

    y: KINEMATIC, which says where they are.  Overwrites f.crossed.  Where an axis has no reading,
    derivatives of the others leave out what they take of it.
    """
    if y.scales == 0:
        return
    begin, end = f.motion + y.offsets, f.motion + y.first_scale
    _keep_rows(f, y, end)
    for s in range(y.scales):
        row, read = y.row[y.target[s]], y.row[y.source[s]]
        if row < 0:
            continue
        state = y.first_scale + s
        share, bias = f.bias[state], f.bias_of[y.source[s]]
        h = f.h[y.source[s]] - (f.bias[bias] if bias >= 0 else 0.0)
        f.residual[row] -= share * h
        f.H[row, f.motion + state] = h
        if read < 0:
            continue
        for i in range(f.motion):
            f.H[row, i] += share * f.crossed[read, i]
        for i in range(begin, end):
            f.H[row, i] += share * f.crossed[read, i]


@kernel
def _keep_rows(f, y, end):
    """Write y.row, the row of every channel or -1, and what f.H has before scales to f.crossed."""
    for channel in range(y.row.size):
        y.row[channel] = -1
    for row in range(f.count):
        y.row[f.present[row]] = row
        for i in range(end):
            f.crossed[row, i] = f.H[row, i]


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
    status = weigh_readings(f, False)
    if status != CORRECTED or f.count == 0:
        return status
    _keep_position(model, work, y)
    begin_states(f)
    if not distance(model, work, f) < _STRAIGHT:
        status = _iterate(model, work, channels, f, y, readings)
    status = end_states(f, status)
    if status != CORRECTED:
        _put_back(model, work, f, y)
    return status


@kernel
def _keep_position(model, work, y):
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
                f.residual[a] += f.H[a, i] * (f.x[i] - f.x0[i])
        if not kalman_gain(f):
            return NOT_POSITIVE
        for i in range(f.motion):
            f.x[i] = f.x0[i] + f.dx[i]
        move = distance(model, work, f)
        if move < _STRAIGHT:
            break
    if not move < SMALL or (move >= _STRAIGHT and not settle_position(model, work, f)):
        return IMPOSSIBLE
    copy_innovation(y, f, f.count)
    return CORRECTED
