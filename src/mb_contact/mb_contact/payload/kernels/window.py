"""Masses by least squares over a window of instants, with a factor for each cylinder's friction."""

from math import sqrt

from mb_contact.payload.kernels.low_pass import empty, push
from mb_model.jit import kernel
from mb_model.kernel_api import cholesky_factor, cholesky_solve

# rows of the array of sums
_TOTAL, _FRESH, _ROW = range(3)


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
    """Write the row of an instant in the normal equations: matrix, right sides, own."""
    place, own = 0, instant.factors - 1
    for i in range(unknowns):
        for j in range(i + 1):
            total = 0.0
            for k in range(g):
                total += _regressor(instant, k, i) * _regressor(instant, k, j)
            row[place] = weight * total
            place += 1
    for j in range(unknowns):
        right = push_own = 0.0
        for k in range(g):
            known = -instant.white_residual[k]
            for i in range(instant.masses):
                known += instant.white_by_mass[k, i] * instant.value[i]
            for i in range(instant.masses, unknowns):
                known += _regressor(instant, k, i)
            right += _regressor(instant, k, j) * known
            push_own -= _regressor(instant, k, j) * instant.white_by_factor[k, own]
        row[place + j], row[place + unknowns + j] = weight * right, weight * push_own


@kernel
def _solve(f, instant, unknowns, normal, total):
    """Write f.mass, spread and slope from the sums; friction is expected to be as in the model.

    Returns False where the window does not determine the masses.
    """
    masses, place = instant.masses, 0
    right, own, column = normal[unknowns], normal[unknowns + 1], normal[unknowns + 2]
    for i in range(unknowns):
        for j in range(i + 1):
            normal[i, j] = total[place]
            place += 1
    for i in range(unknowns):
        right[i], own[i] = total[place + i], total[place + unknowns + i]
        if i >= masses:
            deviation = f.factor_deviation[i - masses]
            normal[i, i] += 1.0 / (deviation * deviation)
            right[i] += 1.0 / (deviation * deviation)
    if not cholesky_factor(normal, unknowns):
        return False
    cholesky_solve(normal, right, unknowns)
    cholesky_solve(normal, own, unknowns)
    for j in range(masses):
        for i in range(unknowns):
            column[i] = 1.0 if i == j else 0.0
        cholesky_solve(normal, column, unknowns)
        f.mass[j], f.spread[j] = right[j], sqrt(column[j])
        f.slope[j, instant.factors - 1] = own[j]
    return True


@kernel
def add_to_window(f, instant, g, rings, sums, normal, dt):
    """Add an instant; write f.mass, spread and slope.

    An instant counts by twice its share of correlation_time, the part of it that is new.
    rings (1, length, w), sums (3, w), normal (unknowns + 3, unknowns).  Returns False where the
    window does not determine the masses yet.
    """
    unknowns, row = normal.shape[1], sums[_ROW]
    _write_row(instant, g, unknowns, min(1.0, 0.5 * dt / f.correlation_time), row)
    push(rings[0], row, f.place, f.count == f.length, sums[_TOTAL], sums[_FRESH])
    f.count, f.place = min(f.count + 1, f.length), (f.place + 1) % f.length
    return _solve(f, instant, unknowns, normal, sums[_TOTAL])


@kernel
def restart_window(f, instant, rings, sums, normal):
    """Begin again at f.mass with the variances f.spread^2, as a first row of the window."""
    unknowns, row, place = normal.shape[1], sums[_ROW], 0
    empty(f, sums)
    for i in range(unknowns):
        for j in range(i + 1):
            if i == j and i < instant.masses:
                row[place] = 1.0 / (f.spread[i] * f.spread[i])
                row[row.size - 2 * unknowns + i] = row[place] * f.mass[i]
            place += 1
    push(rings[0], row, 0, False, sums[_TOTAL], sums[_FRESH])
    f.count, f.place = 1, 1 % f.length
