"""The covariance of accelerations that are partly the model's, partly errors of the model."""

import numpy as np

from mb_estimators.kernels.covariance import is_definite
from mb_model.arrays import FloatArray

_ROUNDING = 1e-15         # of a variance
_ATTEMPTS = 8


def total_covariance(P: FloatArray, A: FloatArray, B: FloatArray):
    """Return the covariance of z, zd, zdd (3g, 3g).

    P: covariance of z, zd and the error of zdd that does not come from theirs; A, B (g, g):
    dzdd/dz and dzdd/dzd of the model.

    Where the model answers so strongly that the error drowns in the rounding of what comes from z
    and zd, as of a mechanism that whirls, accelerations would be known from these to the last digit
    and more: so much uncertainty stays as makes the matrix positive definite.
    """
    g = len(A)
    total = np.eye(3 * g)
    total[2 * g:, :g], total[2 * g:, g:2 * g] = A, B
    covariance = total @ P @ total.T
    covariance = (covariance + covariance.T) / 2.0
    if is_definite(covariance):
        return covariance
    added = (np.abs(total) @ np.sqrt(np.abs(P.diagonal()))) ** 2    # what was rounded
    for share in _ROUNDING * 10.0 ** np.arange(_ATTEMPTS):
        mended = covariance + np.diag(share * added)
        if is_definite(mended):
            return mended
    return covariance
