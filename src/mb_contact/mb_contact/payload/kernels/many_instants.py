"""Masses of many instants: a low-pass of the masses of each, or least squares over a window."""

from math import exp, sqrt

from mb_model.jit import kernel
from mb_model.kernel_api import cholesky_factor, cholesky_solve

# rows of the array of sums, of the low-pass and of the window: see mb_contact.payload.estimator
_FIRST, _FIRST_FRESH, _SECOND, _SECOND_FRESH, _ROW = range(5)
_SUM, _SUM_FRESH, _EQUATIONS = range(3)


@kernel
def push(ring, row, index, full, total, fresh):
    """Put row (w) in a ring (length, w) at index; keep total (w), the sum over the ring.

    full: whether the ring has gone round, so that the old row at index leaves.  fresh (w): the sum
    since its last restart, which replaces total at the next restart, so that rounding does not add
    up.
    """
    last = index == ring.shape[0] - 1
    for i in range(row.size):
        if full:
            total[i] -= ring[index, i]
        total[i] += row[i]
        fresh[i] += row[i]
        ring[index, i] = row[i]
        if last:
            total[i], fresh[i] = fresh[i], 0.0


@kernel
def empty(f, sums):
    """Forget all rows of the rings of a mass filter, and their sums."""
    f.count = f.index = 0
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
    push(rings[0], row, f.index, full, sums[_FIRST], sums[_FIRST_FRESH])
    f.count = min(f.count + 1, f.length)
    for i in range(row.size):
        row[i] = sums[_FIRST, i] / f.count
    push(rings[1], row, f.index, full, sums[_SECOND], sums[_SECOND_FRESH])
    f.index = (f.index + 1) % f.length
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


@kernel
def _sides(instant):
    """Return how many right sides there are: of all forces, of elastic ones, of others."""
    return 2 + instant.modes


@kernel
def _regressor(instant, k, i):
    """Return the derivative of white residual k by unknown i: the masses, then friction.

    The friction of a cylinder that stands still says nothing about its factor.
    """
    if i < instant.masses:
        return instant.white_by_mass[k, i]
    c = i - instant.masses
    return instant.white_by_factor[k, c] if instant.moving[c] else 0.0


@kernel
def _write_row(instant, g, unknowns, weight, row):
    """Write the row of an instant in the normal equations: matrix, right sides, of factors."""
    index = 0
    for i in range(unknowns):
        for j in range(i + 1):
            total = 0.0
            for k in range(g):
                total += _regressor(instant, k, i) * _regressor(instant, k, j)
            row[index] = weight * total
            index += 1
    for j in range(unknowns):
        right = 0.0
        for k in range(g):
            known = -instant.white_residual[k]
            for i in range(instant.masses):
                known += instant.white_by_mass[k, i] * instant.value[i]
            for i in range(instant.masses, unknowns):
                known += _regressor(instant, k, i)
            right += _regressor(instant, k, j) * known
        row[index + j] = weight * right
        for side in range(1, _sides(instant)):
            push, factor = 0.0, instant.factors - _sides(instant) + side
            for k in range(g):
                push -= _regressor(instant, k, j) * instant.white_by_factor[k, factor]
            row[index + side * unknowns + j] = weight * push


@kernel
def _solve(f, instant, unknowns, normal, total):
    """Write f.mass, spread and slope from the sums; friction is expected to be as in the model.

    Returns False where the window does not determine the masses.
    """
    masses, index, sides = instant.masses, 0, _sides(instant)
    right, column = normal[unknowns], normal[unknowns + sides]
    for i in range(unknowns):
        for j in range(i + 1):
            normal[i, j] = total[index]
            index += 1
    for i in range(unknowns):
        for side in range(sides):
            normal[unknowns + side, i] = total[index + side * unknowns + i]
        if i >= masses:
            deviation = f.factor_deviation[i - masses]
            normal[i, i] += 1.0 / (deviation * deviation)
            right[i] += 1.0 / (deviation * deviation)
    if not cholesky_factor(normal, unknowns):
        return False
    for side in range(sides):
        cholesky_solve(normal, normal[unknowns + side], unknowns)
    for j in range(masses):
        for i in range(unknowns):
            column[i] = 1.0 if i == j else 0.0
        cholesky_solve(normal, column, unknowns)
        f.mass[j], f.spread[j] = right[j], sqrt(column[j])
        for side in range(1, sides):
            f.slope[j, instant.factors - sides + side] = normal[unknowns + side, j]
    return True


@kernel
def add_to_window(f, instant, g, rings, sums, normal, dt):
    """Add an instant; write f.mass, spread and slope.

    An instant counts by twice its share of correlation_time, the part of it that is new.
    rings (1, length, w), sums (3, w), normal (unknowns + 3 + modes, unknowns).  Returns False where
    the window does not determine the masses yet.
    """
    unknowns, row = normal.shape[1], sums[_EQUATIONS]
    _write_row(instant, g, unknowns, min(1.0, 0.5 * dt / f.correlation_time), row)
    push(rings[0], row, f.index, f.count == f.length, sums[_SUM], sums[_SUM_FRESH])
    f.count, f.index = min(f.count + 1, f.length), (f.index + 1) % f.length
    return _solve(f, instant, unknowns, normal, sums[_SUM])


@kernel
def restart_window(f, instant, rings, sums, normal):
    """Begin again at f.mass with the variances f.spread^2, as a first row of the window."""
    unknowns, row, index = normal.shape[1], sums[_EQUATIONS], 0
    empty(f, sums)
    for i in range(unknowns):
        for j in range(i + 1):
            if i == j and i < instant.masses:
                row[index] = 1.0 / (f.spread[i] * f.spread[i])
                row[row.size - _sides(instant) * unknowns + i] = row[index] * f.mass[i]
            index += 1
    push(rings[0], row, 0, False, sums[_SUM], sums[_SUM_FRESH])
    f.count, f.index = 1, 1 % f.length
