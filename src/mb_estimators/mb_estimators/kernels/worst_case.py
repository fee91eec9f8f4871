"""The covariance of a filter that guards against the worst noise, not against likely noise."""

from math import sqrt

from mb_model.jit import entry
from mb_model.kernel_api import cholesky_factor, solve_lower


@entry
def guard(filters, weights, wanted, share):
    """Make f.P (P^-1 - theta W^2)^-1, W the weights (m) of the first m states, others none.

    theta is 1 / gamma^2 of the bound: as much as wanted, and less where P is so large that no
    filter has this bound: share / trace(W P W).  By the lemma of the inverse of sums.
    Source: Simon 2006, Sec. 11.3; Hassibi, Sayed and Kailath 1996.  Returns theta.
    """
    f = filters[0]
    m, size, inner, left = weights.size, f.states, f.matrix1, f.matrix2
    total = 0.0
    for i in range(m):
        total += weights[i] * weights[i] * f.P[i, i]
    theta = wanted if wanted * total <= share else share / total
    root = sqrt(theta)
    for i in range(m):
        for j in range(m):
            inner[i, j] = -theta * weights[i] * f.P[i, j] * weights[j]
        inner[i, i] += 1.0
    cholesky_factor(inner, m)       # positive definite: theta times the trace is below 1
    column = f.variances
    for s in range(size):
        for i in range(m):
            column[i] = root * weights[i] * f.P[i, s]
        solve_lower(inner, column, m)
        for i in range(m):
            left[i, s] = column[i]
    for s in range(size):
        for r in range(s + 1):
            for i in range(m):
                f.P[s, r] += left[i, s] * left[i, r]
            f.P[r, s] = f.P[s, r]
    return theta
