"""LU factorisation of a band matrix with row pivoting.

With `below` diagonals under the main one and `above` over it, entry (i, j) is a[i * stride + below
+ j - i], stride = 2 below + above + 1: pivoting fills up to `below` more diagonals above.  Source:
Golub and Van Loan 2013 (Matrix computations), Sec. 4.3.
"""


from mb_model.jit import entry
from mb_model.kernels.linear_algebra import SINGULAR


@entry
def band_stride(below, above):
    """Return how many numbers one row takes."""
    return 2 * below + above + 1


@entry
def band_factor(a, pivots, n, below, above):
    """Factorise in place; return the sign of the determinant, 0.0 if a is singular (or not finite).
    """
    stride, sign, largest = band_stride(below, above), 1.0, 0.0
    for k in range(n):
        at, last = k * stride + below - k, min(n, k + below + 1)
        p, pivot = k, abs(a[at + k])
        for i in range(k + 1, last):
            size = abs(a[i * stride + below + k - i])
            if size > pivot:
                p, pivot = i, size
        largest = max(largest, pivot)
        if not pivot > SINGULAR * largest:
            return 0.0
        pivots[k] = p
        end = min(n, k + below + above + 1)
        if p != k:
            sign = -sign
            other = p * stride + below - p
            for j in range(k, end):
                a[at + j], a[other + j] = a[other + j], a[at + j]
        if a[at + k] < 0.0:
            sign = -sign
        inverse = 1.0 / a[at + k]
        for i in range(k + 1, last):
            row = i * stride + below - i
            factor = a[row + k] * inverse
            a[row + k] = factor
            if factor != 0.0:
                for j in range(k + 1, end):
                    a[row + j] -= factor * a[at + j]
    return sign


@entry
def band_solve(lu, pivots, b, n, below, above):
    """Solve a x = b in place, from band_factor."""
    stride = band_stride(below, above)
    for k in range(n):
        p = pivots[k]
        b[k], b[p] = b[p], b[k]
        for i in range(k + 1, min(n, k + below + 1)):
            b[i] -= lu[i * stride + below + k - i] * b[k]
    for k in range(n - 1, -1, -1):
        at, total = k * stride + below - k, b[k]
        for j in range(k + 1, min(n, k + below + above + 1)):
            total -= lu[at + j] * b[j]
        b[k] = total / lu[at + k]


@entry
def band_solve_transposed(lu, pivots, b, n, below, above):
    """Solve a^T x = b in place, from band_factor."""
    stride = band_stride(below, above)
    for k in range(n):
        at = k * stride + below - k
        b[k] /= lu[at + k]
        for j in range(k + 1, min(n, k + below + above + 1)):
            b[j] -= lu[at + j] * b[k]
    for k in range(n - 1, -1, -1):
        for i in range(k + 1, min(n, k + below + 1)):
            b[k] -= lu[i * stride + below + k - i] * b[i]
        p = pivots[k]
        b[k], b[p] = b[p], b[k]
