"""Correction that is linearised where it leads to, again and again until it stays there."""

from math import sqrt

from mb_estimators.kernels.correction import (
    CORRECTED,
    add_force,
    apply_correction,
    assess,
    keep_readings,
    move_model,
    return_to_prediction,
)
from mb_estimators.kernels.gain import copy_innovation, kalman_gain
from mb_estimators.kernels.observation import observe
from mb_estimators.kernels.sensor_states import correct_biases
from mb_estimators.records.filter import K, L
from mb_model.jit import INTEGER, REAL, RecordType, entry, kernel
from mb_model.record import G

ITERATED = RecordType(
    'mb_estimators.kernels.iterated_correction.ITERATED', settings=[
    ('most', INTEGER),                                 # linearisations of a correction
    ('settled', REAL),                                 # change of a step, in standard deviations
], prediction=[     # what the steps begin from
    ('force', REAL, (G,)), ('forces', REAL, (G,)),     # estimated, and all known ones
    # how readings fitted it
    ('residual', REAL, (K,)), ('residual_covariance', REAL, (K, K)), ('nis', REAL),
], step=[
    ('total', REAL, (L,)),                             # from there to where it is linearised
    ('linearisations', INTEGER),                       # of the last correction
    ('unsettled', INTEGER),                            # corrections whose steps did not settle
])


@entry
def correct_iterated(models, works, channels, filters, iterated, readings):
    """Correct model and f.P by readings (NaN where there is none), at the state likeliest by both.

    Gauss and Newton's iteration for the maximum a posteriori: Bell and Cathey 1993, Sec. II.  Where
    it does not settle, the readings are linearised at the prediction alone, as by an EKF.
    Returns what kernels.correction.correct does.
    """
    model, work, f, i = models[0], works[0], filters[0], iterated[0]
    i.linearisations = 1
    status = assess(model, work, channels, f, readings)
    if status != CORRECTED or f.count == 0:
        return status
    copy_innovation(f, i, f.count)
    keep_readings(channels, f, readings)
    if not _settle(model, work, channels, f, i):
        i.unsettled += 1
        status = assess(model, work, channels, f, readings)
        if status != CORRECTED:
            return status
    copy_innovation(i, f, f.count)
    return apply_correction(model, work, f)


@kernel
def _settle(model, work, channels, f, i):
    """Improve gain and step until the step stays; return whether it does.

    The model is at the prediction before and after.
    """
    while i.linearisations < i.most:
        for s in range(f.states):
            i.total[s] = f.dx[s]
        if not _observe_ahead(model, work, channels, f, i):
            return False
        for a in range(f.count):
            for s in range(f.states):
                f.residual[a] += f.H[a, s] * i.total[s]
        if not kalman_gain(f):
            return False
        i.linearisations += 1
        change = 0.0
        for s in range(f.states):
            change = max(change, abs(f.dx[s] - i.total[s]) / sqrt(f.P[s, s]))
        if change < i.settled:
            return True
    return i.most == 1


@kernel
def _observe_ahead(model, work, channels, f, i):
    """Observe the kept readings a step f.dx ahead; return whether the mechanism can be there."""
    g = model.g
    for k in range(g):
        i.force[k], i.forces[k] = f.force[k], work.forces[k]
    if not move_model(model, work, f):
        return False
    if f.motion == 3 * g:
        add_force(model, work, f)
    correct_biases(f)
    regular = observe(model, work, channels, f, f.readings[:])
    for k in range(g):
        f.force[k], work.forces[k] = i.force[k], i.forces[k]
    for b in range(f.biases):
        f.bias[b] = f.begin_bias[b]
    return_to_prediction(model, work, f)
    return regular
