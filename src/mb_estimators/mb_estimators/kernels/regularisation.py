"""The Cholesky factor of a matrix that may need a little more on its diagonal to have one."""

from mb_model.jit import entry, kernel
from mb_model.kernel_api import cholesky_factor

_ROUNDING = 1e-15         # of a variance
_ATTEMPTS = 8


def _shares():
    found = [0.0]
    while len(found) < _ATTEMPTS:
        found.append(max(_ROUNDING, 10.0 * found[-1]))
    return tuple(found)


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


_MARGIN = 4e-15           # of a variance, that others who factorise may round differently


@entry
def is_definite(covariance):
    """Return whether a symmetric matrix (k, k) is positive definite enough to be factorised."""
    factor = covariance.copy()
    for i in range(len(factor)):
        factor[i, i] *= 1.0 - _MARGIN
    return cholesky_factor(factor, len(factor))
