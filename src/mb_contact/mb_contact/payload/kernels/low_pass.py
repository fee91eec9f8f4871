"""The mass of every instant, filtered: a low-pass, and means over windows of instants."""

from math import exp, sqrt

from mb_model.jit import kernel

# rows of the array of sums: see mb_contact.payload.estimator
_FIRST, _FIRST_FRESH, _SECOND, _SECOND_FRESH, _ROW = range(5)


@kernel
def push(ring, row, place, full, total, fresh):
    """Put row (w) in a ring (length, w) at place; keep total (w), the sum over the ring.

    full: whether the ring has gone round, so that the old row at place leaves.  fresh (w): the sum
    since its last restart, which replaces total at the next restart, so that rounding does not add
    up.
    """
    last = place == ring.shape[0] - 1
    for i in range(row.size):
        if full:
            total[i] -= ring[place, i]
        total[i] += row[i]
        fresh[i] += row[i]
        ring[place, i] = row[i]
        if last:
            total[i], fresh[i] = fresh[i], 0.0


@kernel
def empty(f, sums):
    """Forget all rows of the rings of a mass filter, and their sums."""
    f.count = f.place = 0
    for k in range(sums.shape[0]):
        for i in range(sums.shape[1]):
            sums[k, i] = 0.0


@kernel
def _follow(f, instant, j, dt):
    """First-order filter of raw mass j, of its slopes, and of the variance of its error.

    The errors of raw masses are correlated, by exp(-dt / correlation_time) from one to the next.
    At first all instants count alike.  Source: Pyrhonen et al. 2023b, Eq. (58).
    """
    share = min(1.0, max(1.0 - exp(-dt / f.time_constant), dt / f.elapsed))
    alike, variance = exp(-dt / f.correlation_time), instant.covariance[j, j]
    keep, shared = 1.0 - share, alike * f.shared[j]
    f.variance[j] = keep * keep * f.variance[j] + 2.0 * keep * share * shared + (
        share * share * variance)
    f.shared[j] = keep * shared + share * variance
    f.low[j, 0] += share * (instant.raw[j] - f.low[j, 0])
    for i in range(instant.factors):
        f.low[j, 1 + i] += share * (instant.slope[j, i] - f.low[j, 1 + i])


@kernel
def add_to_low_pass(f, instant, rings, sums, dt):
    """Add an instant; write f.mass, spread and slope.

    Two moving averages, one after the other, give the triangle of weights.  Deviations are
    averaged like the masses: as if errors of the low-pass were the same all over the window.
    rings (2, length, w), sums (5, w): w = masses (2 + factors).
    Source: Pyrhonen et al. 2023b, Eq. (59).
    """
    width, row = 2 + instant.factors, sums[_ROW]
    for j in range(instant.masses):
        _follow(f, instant, j, dt)
        row[j * width] = sqrt(f.variance[j])
        for i in range(1 + instant.factors):
            row[j * width + 1 + i] = f.low[j, i]
    full = f.count == f.length
    push(rings[0], row, f.place, full, sums[_FIRST], sums[_FIRST_FRESH])
    f.count = min(f.count + 1, f.length)
    for i in range(row.size):
        row[i] = sums[_FIRST, i] / f.count
    push(rings[1], row, f.place, full, sums[_SECOND], sums[_SECOND_FRESH])
    f.place = (f.place + 1) % f.length
    for j in range(instant.masses):
        f.spread[j] = sums[_SECOND, j * width] / f.count
        f.mass[j] = sums[_SECOND, j * width + 1] / f.count
        for i in range(instant.factors):
            f.slope[j, i] = sums[_SECOND, j * width + 2 + i] / f.count


@kernel
def restart_low_pass(f, instant, sums):
    """Begin again at f.mass with the variances f.spread^2."""
    for j in range(instant.masses):
        f.low[j, 0], f.variance[j], f.shared[j] = f.mass[j], f.spread[j] * f.spread[j], 0.0
        for i in range(instant.factors):
            f.low[j, 1 + i] = f.slope[j, i] = instant.slope[j, i]
    empty(f, sums)
