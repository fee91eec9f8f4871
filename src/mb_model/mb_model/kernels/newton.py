"""When Newton's iterations stop."""

from mb_model.jit import kernel


@kernel
def has_converged(change, last, tolerance, rounding, stalled):
    """Return whether a change is small enough to be the last one of an iteration.

    It is at most `tolerance`; or at most `rounding`, and not below the share `stalled` of the
    change before, `last`: then rounding alone is left.  False for what is not a number.
    """
    return change <= tolerance or (change <= rounding and change >= stalled * last)
