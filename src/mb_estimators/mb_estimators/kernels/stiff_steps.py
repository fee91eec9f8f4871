"""What predictions in exponential sub-steps share."""

from numba import boolean

from mb_estimators.records.filter import FILTER
from mb_model.jit import kernel, separate
from mb_model.kernel_api import fastest_rates, multiply, set_time, solve_multipliers

SLOW = 0.5                # step times fastest vibration, up to which the trapezoidal rule is used


@kernel
def is_stiff(model, work, h):
    """After linearise: return whether the model vibrates too fast for one step of h [s].

    The trapezoidal rule makes the rate w [1/s] of a vibration smaller by (w h)^2 / 12 of it, 2 % at
    the limit.  Fast decay does no harm.
    """
    vibration, _ = fastest_rates(model, work)
    return h * vibration > SLOW


@kernel
def what_is_left(left, done):
    """Return what is left of a step after a sub-step [s]; 0 at its end."""
    return left - done if done < left else 0.0


@kernel
def end_sub_steps(model, work, t):
    """Set the time, free of the rounding of sums, and write the multipliers."""
    set_time(model, work, t)
    solve_multipliers(model, work)


@separate(FILTER, boolean)
def accumulate_transition(f, first):
    """Extend f.transition of a sub-step to the step so far, which f.tangent keeps."""
    F, before, product, size = f.transition, f.tangent, f.matrix1, f.states
    if not first:
        multiply(F, before, size, size, size, product)
        for i in range(size):
            for j in range(size):
                F[i, j] = product[i, j]
    for i in range(size):
        for j in range(size):
            before[i, j] = F[i, j]
