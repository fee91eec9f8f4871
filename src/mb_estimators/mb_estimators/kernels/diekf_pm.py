"""The iterated filter with perfect measurements: readings and constraints at the same time."""

from math import sqrt

from mb_estimators.kernels.array_correction import take_factor, weigh
from mb_estimators.kernels.biases import add_biases
from mb_estimators.kernels.correction import CORRECTED
from mb_estimators.kernels.dependent_correction import finish, take_readings
from mb_estimators.kernels.dependent_equations import (
    constrain,
    differentiate,
    prepare_derivatives,
    strengthen,
)
from mb_estimators.kernels.dependent_state import accelerate, copy_lower, move
from mb_model.jit import entry, kernel
from mb_sensors.kernel_api import difference, measure

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
