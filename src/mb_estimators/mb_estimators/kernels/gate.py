"""Readings that cannot be, left out before they do harm."""


from mb_estimators.records.filter import FILTER
from mb_model.jit import kernel, separate


@kernel
def credible(f, residual, variance):
    """Return whether a residual lies within f.gate of its standard deviations."""
    return not (f.gate > 0.0 and residual * residual > f.gate * f.gate * variance)


@kernel
def _is_credible(f, a):
    """Return whether the reading of a row of f.residual and f.H is credible."""
    variance = f.variance[f.present[a]]
    for i in range(f.states):
        for j in range(f.states):
            variance += f.H[a, i] * f.P[i, j] * f.H[a, j]
    return credible(f, f.residual[a], variance)


@separate(FILTER)
def leave_out_impossible(f):
    """Drop readings whose innovation is beyond f.gate of its own standard deviations.

    Works on f.count, present, residual, H; writes f.rejected_count, rejected.  Without corrections
    the covariance grows, so that a sensor that is right after all is believed again before long.
    """
    if not f.gate > 0.0:
        f.rejected_count = 0
        return
    kept, rejected = 0, 0
    for a in range(f.count):
        if not _is_credible(f, a):
            f.rejected[rejected] = f.present[a]
            rejected += 1
            continue
        f.present[kept], f.residual[kept] = f.present[a], f.residual[a]
        for i in range(f.states):
            f.H[kept, i] = f.H[a, i]
        kept += 1
    f.count, f.rejected_count = kept, rejected


@separate(FILTER)
def leave_out_impossible_if_not_all(f):
    """Do as leave_out_impossible where a reading of several is left.

    If there is none, it is the prediction that is wrong, not all sensors at once: all are taken.
    """
    some = f.count == 1
    for a in range(f.count):
        some |= _is_credible(f, a)
    if some:
        leave_out_impossible(f)
    else:
        f.rejected_count = 0
