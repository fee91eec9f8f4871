"""Symmetric positive definite matrices in full storage whose rows begin with zeros.

Row i is zero before column first[i], in the factor too: its envelope.  Source: George and Liu 1981
(Computer solution of large sparse positive definite systems), Ch. 4.
"""

from math import sqrt

from mb_model.jit import kernel


@kernel
def envelope_factor(a, first, n):
    """Factorise a (n, n) in place, lower triangle: a = L L^T; return False if it is not definite.

    The diagonal becomes 1 / L_jj.  Four rows at once: their sums do not wait for each other.
    """
    for j in range(n):
        diagonal = a[j, j]
        for k in range(first[j], j):
            diagonal -= a[j, k] * a[j, k]
        if not diagonal > 0.0:
            return False
        inverse = 1.0 / sqrt(diagonal)
        a[j, j] = inverse
        i = j + 1
        while i + 3 < n:
            begin = min(min(first[i], first[i + 1]), min(first[i + 2], first[i + 3]))
            if begin <= j:
                s, t, u, v = a[i, j], a[i + 1, j], a[i + 2, j], a[i + 3, j]
                for k in range(max(begin, first[j]), j):
                    pivot = a[j, k]
                    s -= a[i, k] * pivot
                    t -= a[i + 1, k] * pivot
                    u -= a[i + 2, k] * pivot
                    v -= a[i + 3, k] * pivot
                a[i, j], a[i + 1, j] = s * inverse, t * inverse
                a[i + 2, j], a[i + 3, j] = u * inverse, v * inverse
            i += 4
        while i < n:
            if first[i] <= j:
                s = a[i, j]
                for k in range(max(first[i], first[j]), j):
                    s -= a[i, k] * a[j, k]
                a[i, j] = s * inverse
            i += 1
    return True


@kernel
def envelope_solve(lower, first, b, n):
    """Solve L L^T x = b in place, from envelope_factor."""
    for i in range(n):
        total = b[i]
        for j in range(first[i], i):
            total -= lower[i, j] * b[j]
        b[i] = total * lower[i, i]
    for i in range(n - 1, -1, -1):
        b[i] *= lower[i, i]
        for j in range(first[i], i):
            b[j] -= lower[i, j] * b[i]
