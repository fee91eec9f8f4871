"""Cholesky factorisation of a symmetric positive definite matrix stored by its profile.

Row i holds its entries from the first that is not zero to the diagonal: entry (i, j) of the lower
triangle is a[start[i] + j], for first[i] <= j <= i.  The factor fills the same places.  Source:
George and Liu 1981 (Computer solution of large sparse positive definite systems), Ch. 4.
"""

from math import sqrt

from mb_model.jit import entry


@entry
def profile_factor(a, start, first, n):
    """Factorise in place, a = L L^T; return False if a is not positive definite (or not finite)."""
    for i in range(n):
        row, diagonal = start[i], a[start[i] + i]
        for j in range(first[i], i):
            other, total = start[j], a[row + j]
            for k in range(max(first[i], first[j]), j):
                total -= a[row + k] * a[other + k]
            total /= a[other + j]
            a[row + j] = total
            diagonal -= total * total
        if not diagonal > 0.0:
            return False
        a[row + i] = sqrt(diagonal)
    return True


@entry
def profile_solve(lower, start, first, b, n):
    """Solve a x = b in place, from profile_factor."""
    for i in range(n):
        row, total = start[i], b[i]
        for j in range(first[i], i):
            total -= lower[row + j] * b[j]
        b[i] = total / lower[row + i]
    for i in range(n - 1, -1, -1):
        row = start[i]
        b[i] /= lower[row + i]
        for j in range(first[i], i):
            b[j] -= lower[row + j] * b[i]
