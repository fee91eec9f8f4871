"""The smoothly constrained filter: readings first, then constraints less and less weakened."""


from mb_estimators.kernels.array_correction import take_factor, weigh
from mb_estimators.kernels.correction import CORRECTED
from mb_estimators.kernels.dependent_correction import finish, take_readings
from mb_estimators.kernels.dependent_equations import constrain, strengthen, weaken
from mb_estimators.kernels.dependent_state import move
from mb_model.jit import entry, kernel

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
    that, as published (Eq. 66), passes linearised at different places make the covariance far too
    small.
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
