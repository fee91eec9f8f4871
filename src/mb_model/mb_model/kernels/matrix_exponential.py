"""The exponential of a small matrix: balanced, by the series of a short step, then squared.

The steps stand alone, for kernels that double more than the exponential.  Matrices (n, n) are the
leading parts of larger arrays.
"""

from math import frexp, isfinite, ldexp

from numba import float64, int64

from mb_model.jit import kernel, separate
from mb_model.kernels.products import multiply_sparse

SHORT = 0.5               # norm up to which the series is summed
_ACCURACY = 1e-17         # of the term after the last one of the series
_LEAST = 5                # terms: what is small here may be large where it is not balanced
_LARGEST = 1e12           # norm after balancing; beyond, rounding leaves nothing
_SWEEPS = 8
_NEGLIGIBLE = -3          # power of two of a row or column that nothing answers to
_GAIN = 0.95              # a change of scale has to make row and column that much smaller


@kernel
def _scale_of(column, row):
    """Return the power of two that makes a column as small as a row of 1 / power.

    Both are sums of magnitudes off the diagonal.  A state that nothing answers to, or that answers
    to nothing, may have any scale: its column or row is made small.
    """
    if column == 0.0 or row == 0.0:
        _, power = frexp(max(column, row))
        if power <= _NEGLIGIBLE:
            return 1.0
        return ldexp(1.0, power - _NEGLIGIBLE if column == 0.0 else _NEGLIGIBLE - power)
    scale, total = 1.0, column + row
    scaled = column
    while scaled < 0.5 * row:
        scale *= 2.0
        scaled *= 4.0
    while scaled >= 2.0 * row:
        scale *= 0.5
        scaled *= 0.25
    return scale if (scaled + row) / scale < _GAIN * total else 1.0


@kernel
def _balance(a, n, scale):
    """Write D^-1 a D, whose rows and columns are alike, over a; scale (n) is the diagonal D.

    Powers of two, so without rounding.  Source: Parlett and Reinsch 1969.
    """
    for i in range(n):
        scale[i] = 1.0
    for _ in range(_SWEEPS):
        changed = False
        for i in range(n):
            column, row = 0.0, 0.0
            for j in range(n):
                if j != i:
                    column += abs(a[j, i])
                    row += abs(a[i, j])
            factor = _scale_of(column, row) if column + row > 0.0 else 1.0
            if factor != 1.0:
                changed = True
                scale[i] *= factor
                for j in range(n):
                    a[i, j] /= factor
                for j in range(n):
                    a[j, i] *= factor
        if not changed:
            break


@kernel
def _norm(a, n):
    """Return the largest sum of magnitudes of a row; not finite if an entry is not."""
    largest = 0.0
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += abs(a[i, j])
        largest = max(largest, total) if isfinite(total) else total
        if not isfinite(largest):
            break
    return largest


@separate(float64[:, ::1], int64, float64[::1])
def shorten(a, n, scale):
    """Replace a by D^-1 a D / 2^k, short enough for the series; return k, or -1 without hope.

    scale (n) is the diagonal of D: exp(a) = D exp(short)^(2^k) D^-1.  -1: not finite, or so large
    that the exponential is lost in rounding.
    """
    if not isfinite(_norm(a, n)):
        return -1
    _balance(a, n, scale)
    norm = _norm(a, n)
    if not norm < _LARGEST:
        return -1
    _, power = frexp(norm / SHORT)
    doublings = max(0, power)
    if doublings > 0:
        factor = ldexp(1.0, -doublings)
        for i in range(n):
            for j in range(n):
                a[i, j] *= factor
    return doublings


@separate(float64[:, ::1], int64, float64[:, ::1], float64[:, ::1])
def short_exponential(a, n, out, product):
    """Write out = exp(a) of a short matrix: its Taylor series by Horner's scheme."""
    norm, order = _norm(a, n), 1
    term = norm * norm / 2.0
    while order < _LEAST or term > _ACCURACY:
        order += 1
        term *= norm / (order + 1.0)
    for i in range(n):
        for j in range(n):
            out[i, j] = 1.0 if i == j else 0.0
    for k in range(order, 0, -1):
        multiply_sparse(a, out, n, product)
        for i in range(n):
            for j in range(n):
                out[i, j] = product[i, j] / k
            out[i, i] += 1.0


@kernel
def square(a, n, product):
    """Replace a by a a."""
    multiply_sparse(a, a, n, product)
    for i in range(n):
        for j in range(n):
            a[i, j] = product[i, j]


@kernel
def unscale(a, n, scale):
    """Replace a by D a D^-1; return whether all is finite."""
    total = 0.0
    for i in range(n):
        for j in range(n):
            a[i, j] *= scale[i] / scale[j]
            total += a[i, j]
    return isfinite(total)


@separate(float64[:, ::1], int64, float64[:, ::1], float64[:, ::1], float64[::1])
def exponential(a, n, out, product, scale):
    """Write out = exp(a) (n, n); a, product (n, n) and scale (n) are scratch.

    Returns False if a or the result is not finite, or a too large: see shorten.
    Source: scaling and squaring, Moler and Van Loan 2003, method 3.
    """
    doublings = shorten(a, n, scale)
    if doublings < 0:
        return False
    short_exponential(a, n, out, product)
    for _ in range(doublings):
        square(out, n, product)
    return unscale(out, n, scale)
