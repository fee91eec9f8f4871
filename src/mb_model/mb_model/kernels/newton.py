"""When Newton's iterations stop."""

from mb_model.jit import kernel

_NOTHING = 1e-2          # of a tolerance


@kernel
def has_converged(change, last, tolerance, rounding, stalled):
    """Return whether a change is small enough to be the last one of an iteration.

    It is at most `tolerance`; or at most `rounding`, and not below the share `stalled` of the
    change before, `last`: then rounding alone is left.  False for what is not a number.
    """
    return change <= tolerance or (change <= rounding and change >= stalled * last)


@kernel
def settles(change, last, tolerance):
    """Return whether what an iteration would change next is nothing beside its tolerance.

    It shrinks as it did from `last` to this change, or faster: Newton's iteration with its own
    tangent.  So the next change, which need not be computed, is at most change^2 / last.
    """
    return change * change <= _NOTHING * tolerance * last
