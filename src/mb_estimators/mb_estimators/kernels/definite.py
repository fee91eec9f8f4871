"""Whether a matrix is a covariance, beyond rounding."""


from mb_model.jit import entry
from mb_model.kernel_api import cholesky_factor

_MARGIN = 4e-15           # of a variance, that others who factorise may round differently


@entry
def is_definite(covariance):
    """Return whether a symmetric matrix (k, k) is positive definite enough to be factorised."""
    factor = covariance.copy()
    for i in range(len(factor)):
        factor[i, i] *= 1.0 - _MARGIN
    return cholesky_factor(factor, len(factor))
