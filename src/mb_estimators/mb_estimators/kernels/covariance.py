"""Covariances: propagation, correction, and what a covariance must be."""

from math import sqrt

from numba import float64, int64

from mb_estimators.records.filter import FILTER
from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import cholesky_factor, congruence, solve_lower

_MARGIN = 4e-15           # of a variance, that others who factorise may round differently
_ROUNDING = 1e-15         # of a variance
_ATTEMPTS = 8


def _shares():
    shares = [0.0]
    while len(shares) < _ATTEMPTS:
        shares.append(max(_ROUNDING, 10.0 * shares[-1]))
    return tuple(shares)


# Shares of the variances before rounding, to be tried in turn: nothing, rounding, ten times as much
SHARES = _shares()


@kernel
def factor_regularised(matrix, variances, size, margin, factor):
    """Write the Cholesky factor of a symmetric matrix and as little more as it needs for one.

    Returns which share of the variances (size) was added to the diagonal, -1.0 where no share is
    enough.  margin: the part of the diagonal that others who factorise may round away.
    """
    for share in SHARES:
        for i in range(size):
            for j in range(i + 1):
                factor[i, j] = matrix[i, j]
            factor[i, i] += share * variances[i]
            factor[i, i] *= 1.0 - margin
        if cholesky_factor(factor, size):
            return share
    return -1.0


@entry
def is_definite(covariance):
    """Return whether a symmetric matrix (k, k) is positive definite enough to be factorised."""
    factor = covariance.copy()
    for i in range(len(factor)):
        factor[i, i] *= 1.0 - _MARGIN
    return cholesky_factor(factor, len(factor))


@kernel
def copy_square(source, target, size):
    """Copy a matrix (size, size)."""
    for i in range(size):
        for j in range(size):
            target[i, j] = source[i, j]


@kernel
def add_acceleration_noise(P, psd, g, h):
    """Add white noise of the accelerations over a step h [s] to P of z, zd.

    diag(q_c) (x) [h^3/3, h^2/2; h^2/2, h] by Van Loan's method: Rodriguez et al. 2023, Eq. (107).
    """
    for i in range(g):
        P[i, i] += psd[i] * h * h * h / 3.0
        P[i, g + i] += psd[i] * h * h / 2.0
        P[g + i, i] = P[i, g + i]
        P[g + i, g + i] += psd[i] * h


@kernel
def add_acceleration_walk(P, walk, g, h):
    """Add the random walk of the acceleration errors over a step h [s] to P of z, zd, zdd.

    Rodriguez et al. 2023, Sec. 12.1: diag(0, 0, sigma^2), with sigma^2 of a whole step.
    """
    for i in range(g):
        P[2 * g + i, 2 * g + i] += walk[i] * h


@separate(FILTER, int64, float64)
def propagate_simple(f, g, h):
    """P = f_x P f_x^T + plant noise over a step h [s], for states z, zd, and biases, which stay.

    f_x = [I, hI; 0, I]: Rodriguez et al. 2023, Eq. (50).
    """
    P = f.P
    for i in range(g):
        for j in range(g):
            P[i, j] += h * (P[g + i, j] + P[i, g + j]) + h * h * P[g + i, g + j]
    for i in range(g):
        for j in range(g):
            P[i, g + j] += h * P[g + i, g + j]
            P[g + j, i] = P[i, g + j]
        for j in range(f.motion, f.states):
            P[i, j] += h * P[g + i, j]
            P[j, i] = P[i, j]
    add_acceleration_noise(P, f.acceleration_psd, g, h)


@separate(FILTER)
def propagate(f):
    """P = F P F^T with F = f.transition: Rodriguez et al. 2023, Eq. (70) without plant noise."""
    congruence(f.transition, f.P, f.states, f.states, f.product, f.P)


@separate(FILTER, float64[:, ::1])
def adopt(f, corrected):
    """Make a matrix the covariance, with as little as is needed to be positive definite added.

    A reading far more accurate than the prediction leaves variances that drown in the rounding of
    those before; so much uncertainty stays then.  Returns whether P was replaced.
    """
    size, variances = f.states, f.variances
    for i in range(size):
        variances[i] = f.P[i, i] + abs(corrected[i, i])
    share = factor_regularised(corrected, variances, size, _MARGIN, f.product)
    if share < 0.0:
        return False
    for i in range(size):
        for j in range(size):
            f.P[i, j] = corrected[i, j]
        f.P[i, i] += share * variances[i]
    return True


@kernel
def cross_covariance(f):
    """Write H P to f.crossed.  Most sensors see few states, so zeros of H are left out."""
    for a in range(f.count):
        for i in range(f.states):
            f.crossed[a, i] = 0.0
        for j in range(f.states):
            by_state = f.H[a, j]
            if by_state != 0.0:
                for i in range(f.states):
                    f.crossed[a, i] += by_state * f.P[j, i]


@separate(FILTER)
def correct_covariance(f):
    """P = (I - K H) P (I - K H)^T + K R K^T (Joseph), symmetric to the last bit; K is f.gain.

    As A + (K R - A H^T) K^T with A = P - K (H P): with zeros of H left out, products of a column
    for each reading, not of whole matrices.  Overwrites f.crossed.

    Returns False, and leaves P as it was, if the result is not positive definite.
    """
    size, count = f.states, f.count
    left, corrected, crossed = f.product, f.corrected, f.crossed
    cross_covariance(f)
    for i in range(size):
        for j in range(size):
            left[i, j] = f.P[i, j]
        for a in range(count):
            for j in range(size):
                left[i, j] -= f.gain[i, a] * crossed[a, j]
    for a in range(count):
        for i in range(size):
            crossed[a, i] = f.gain[i, a] * f.variance[f.present[a]]
        for j in range(size):
            if f.H[a, j] != 0.0:
                for i in range(size):
                    crossed[a, i] -= left[i, j] * f.H[a, j]
    for i in range(size):
        for j in range(i + 1):
            total = left[i, j]
            for a in range(count):
                total += crossed[a, i] * f.gain[j, a]
            corrected[i, j] = corrected[j, i] = total
    return adopt(f, corrected)


@separate(FILTER)
def keep_positive(f):
    """Make f.P positive definite again where rounding in a steep transition has spoilt that.

    Returns whether it is now.
    """
    copy_square(f.P, f.corrected, f.states)
    return adopt(f, f.corrected)


@entry
def guard(filters, weights, wanted, share):
    """Guard against the worst noise, not the likely one: make f.P (P^-1 - theta W^2)^-1.

    W: the weights (m) of the first m states, others have none.
    theta is 1 / gamma^2 of the bound: as much as wanted, and less where P is so large that no
    filter has this bound: share / trace(W P W).  By the lemma of the inverse of sums.
    Source: Simon 2006, Sec. 11.3; Hassibi, Sayed and Kailath 1996.  Returns theta.
    """
    f = filters[0]
    m, size, inner, left = weights.size, f.states, f.product, f.left
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
