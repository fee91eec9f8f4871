"""The gate inside filters (`filter.gate`): channels incredible beside the prediction are left out.

Other treatments are of watches.gating, which is before the filter and turns this one off.

A reading is incredible if its innovation is beyond `gate` of its own standard deviations.  What is
impossible is another thing: readings that fit no state of the mechanism, see kernels.correction.
"""

from numba import boolean

from mb_estimators.records.filter import FILTER
from mb_model.jit import entry, kernel, separate


@kernel
def is_credible(f, residual, variance):
    """Return whether a residual lies within f.gate of its standard deviations; 0: all do."""
    return not (f.gate > 0.0 and residual * residual > f.gate * f.gate * variance)


@entry
def find_credible(filters, residual, variances, credible):
    """Write which of the residuals (k) are credible by their variances (k)."""
    for a in range(residual.size):
        credible[a] = is_credible(filters[0], residual[a], variances[a])


@kernel
def _is_row_credible(f, a):
    """Return whether the reading of a row of f.residual and f.H is credible."""
    variance = f.variance[f.present[a]]
    for i in range(f.states):
        for j in range(f.states):
            variance += f.H[a, i] * f.P[i, j] * f.H[a, j]
    return is_credible(f, f.residual[a], variance)


@kernel
def _are_all_incredible(f):
    """Return whether none of several readings is credible."""
    for a in range(f.count):
        if f.count == 1 or _is_row_credible(f, a):
            return False
    return f.count > 0


@separate(FILTER, boolean)
def leave_out_incredible(f, unless_all):
    """Leave incredible readings out.

    Works on f.count, present, residual, H; writes f.rejected_count, rejected.  Without corrections
    the covariance grows, so that a sensor that is right after all is believed again before long.
    unless_all: if no reading of several is credible, it is the prediction that is wrong, not all
    sensors at once: all are taken.
    """
    f.rejected_count = 0
    if not f.gate > 0.0 or (unless_all and _are_all_incredible(f)):
        return
    kept, rejected = 0, 0
    for a in range(f.count):
        if not _is_row_credible(f, a):
            f.rejected[rejected] = f.present[a]
            rejected += 1
            continue
        f.present[kept], f.residual[kept] = f.present[a], f.residual[a]
        for i in range(f.states):
            f.H[kept, i] = f.H[a, i]
        kept += 1
    f.count, f.rejected_count = kept, rejected
