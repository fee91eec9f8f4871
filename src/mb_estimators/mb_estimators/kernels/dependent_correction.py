"""What corrections in dependent coordinates begin and end with; the constraints are in between."""


from mb_estimators.kernels.array_correction import take_factor, weigh
from mb_estimators.kernels.correction import CORRECTED, IMPOSSIBLE, NOT_POSITIVE, SINGULAR
from mb_estimators.kernels.dependent_equations import observe_dependent
from mb_estimators.kernels.dependent_innovation import judge_readings
from mb_estimators.kernels.dependent_state import (
    accelerate,
    close,
    copy_lower,
    keep,
    move,
    return_to_kept,
)
from mb_model.jit import kernel


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
