"""Corrections in dependent coordinates: by readings, then constraints, or by both together."""

from math import sqrt

from mb_estimators.kernels.array_correction import take_factor, weigh
from mb_estimators.kernels.correction import CORRECTED, IMPOSSIBLE, NOT_POSITIVE, SINGULAR
from mb_estimators.kernels.dependent_equations import (
    constrain,
    differentiate,
    judge_readings,
    observe_dependent,
    prepare_derivatives,
    strengthen,
    weaken,
)
from mb_estimators.kernels.dependent_state import (
    accelerate,
    close,
    copy_lower,
    keep,
    move,
    return_to_kept,
)
from mb_estimators.kernels.sensor_states import add_biases
from mb_model.jit import entry, kernel
from mb_sensors.kernel_api import difference, measure


@kernel
def assess_dependent(model, work, channels, f, readings):
    """Compare the readings (NaN where there is none) with the model, as correction.assess does.

    Writes f.branch and what observe_dependent and judge_readings write.
    Returns CORRECTED, SINGULAR or NOT_POSITIVE; f.count is 0 if there is nothing to correct by.
    """
    f.nis, f.count, f.rejected_count = 0.0, 0, 0
    f.branch = accelerate(model, work)
    if f.branch == 0.0:
        return SINGULAR
    observe_dependent(model, work, channels, f, readings)
    return CORRECTED if judge_readings(model, work, f) else NOT_POSITIVE


@kernel
def take_readings(model, work, channels, f, readings):
    """Correct states and covariance by readings (NaN where there is none), as a plain filter.

    Source: Rodriguez et al. 2023, Eqs. (59)-(61).  Keeps the state before (0) and after (1).
    Returns CORRECTED or why not; f.count is 0 if there was nothing to correct by.
    """
    status = assess_dependent(model, work, channels, f, readings)
    if status != CORRECTED or f.count == 0:
        return status
    keep(model, work, f)
    if not weigh(f, f.count):
        return NOT_POSITIVE
    take_factor(f, f.count)
    move(model, work, f, f.q0, f.qd0, f.bias0)
    for i in range(model.n):
        f.q1[i], f.qd1[i] = work.q[i], work.qd[i]
    for b in range(f.biases):
        f.bias1[b] = f.bias[b]
    copy_lower(f.factor, f.factor1, f.states)
    return CORRECTED


@kernel
def finish(model, work, f, constrained):
    """Solve the dynamics at the corrected state; return CORRECTED or IMPOSSIBLE.

    If the constraints were not satisfied, or only on another branch of the mechanism, the degrees
    of freedom stay as the readings alone have them, and all else follows from them.  Where there
    is no such position, and as published, the state is as it was before the readings.
    """
    if constrained and accelerate(model, work) == f.branch:
        return CORRECTED
    if f.as_published == 1:
        return_to_kept(model, work, f)
        return IMPOSSIBLE
    for i in range(model.n):
        work.q[i], work.qd[i] = f.q1[i], f.qd1[i]
    for b in range(f.biases):
        f.bias[b] = f.bias1[b]
    copy_lower(f.factor1, f.factor, f.states)
    if close(model, work, f):
        return CORRECTED
    return_to_kept(model, work, f)
    return IMPOSSIBLE


_PASSES = 5               # after more, the noise of the constraints drowns in rounding


@entry
def correct_sckf(models, works, channels, filters, readings):
    """Correct q, qd and their covariance by readings (NaN where there is none), then constrain.

    Source: Rodriguez et al. 2023, Eqs. (59)-(66).
    Returns CORRECTED or why not; then the state is as it was.
    """
    model, work, f = models[0], works[0], filters[0]
    status = take_readings(model, work, channels, f, readings)
    if status != CORRECTED or f.count == 0:
        return status
    return finish(model, work, f, _impose(model, work, f))


@kernel
def _impose(model, work, f):
    """Correct by the constraints until they are satisfied; return whether they are.

    What a constraint is off by after a pass, the next pass takes for noise of it too.  Without
    that, as published (Eq. 66), passes linearised at different positions make the covariance
    far too small.
    """
    rows = 2 * model.m
    constrain(model, work, f, 0)
    weaken(f, rows)
    for _ in range(_PASSES):
        if not weigh(f, rows):
            return False
        take_factor(f, rows)
        move(model, work, f, work.q, work.qd, f.bias)
        if constrain(model, work, f, 0) <= f.tolerance:
            return True
        strengthen(f, 0, rows)
        if f.as_published == 0:
            for a in range(rows):
                f.noise[a, a] += abs(f.misfit[a])
    return False


_ITERATIONS = 30


@entry
def correct_diekf_pm(models, works, channels, filters, readings):
    """Correct q, qd and their covariance by readings (NaN where there is none) and constraints.

    Every iteration corrects the prediction anew, by equations linearised where the last one ended,
    with less noise of the constraints.
    Source: Rodriguez et al. 2023, Sec. 6.2, Eq. (67); Simon 2006, Sec. 13.3.1 (iterated filter).
    Returns CORRECTED or why not; then the state is as it was.
    """
    model, work, f = models[0], works[0], filters[0]
    status = take_readings(model, work, channels, f, readings)
    if status != CORRECTED or f.count == 0:
        return status
    return finish(model, work, f, _iterate(model, work, channels, f, readings))


@kernel
def _iterate(model, work, channels, f, readings):
    """Iterate from the prediction until the constraints are satisfied; return whether they are."""
    k, rows = f.count, f.count + 2 * model.m
    copy_lower(f.factor0, f.factor, f.states)
    for i in range(model.n):
        work.q[i], work.qd[i] = f.q0[i], f.qd0[i]
    for b in range(f.biases):
        f.bias[b] = f.bias0[b]
    for a in range(k, rows):
        for b in range(a):
            f.noise[a, b] = 0.0
        f.noise[a, a] = sqrt(f.weakening)
    constrain(model, work, f, k)
    for _ in range(_ITERATIONS):
        if accelerate(model, work) == 0.0:
            return False
        prepare_derivatives(model, work, channels, readings)
        measure(channels, work.q[:], work.qd[:], work.qdd[:], f.h[:])
        add_biases(channels, f)
        for a in range(k):
            channel = f.present[a]
            f.misfit[a] = difference(channels[channel], readings[channel], f.h[channel])
            differentiate(model, work, channels, channel, f, a)
        _refer_to_prediction(model, work, f, rows)
        if not weigh(f, rows):
            return False
        move(model, work, f, f.q0, f.qd0, f.bias0)
        if constrain(model, work, f, k) <= f.tolerance:
            take_factor(f, rows)
            return True
        strengthen(f, k, rows)
    return False


@kernel
def _refer_to_prediction(model, work, f, rows):
    """Refer f.misfit at work.q, qd and f.bias to the equations linearised at the prediction."""
    n = model.n
    for a in range(rows):
        for i in range(n):
            f.misfit[a] += (f.H[a, i] * (work.q[i] - f.q0[i])
                            + f.H[a, n + i] * (work.qd[i] - f.qd0[i]))
        for b in range(f.biases):
            f.misfit[a] += f.H[a, f.motion + b] * (f.bias[b] - f.bias0[b])
