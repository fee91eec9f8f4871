"""The covariance of accelerations that are partly those of the model, partly errors of it."""

import numpy as np


def total_covariance(P, A, B):
    """Return the covariance of z, zd, zdd (3g, 3g).

    P: that of z, zd and the error of zdd that does not come from theirs; A, B (g, g): dzdd/dz and
    dzdd/dzd of the model.
    """
    g = len(A)
    total = np.eye(3 * g)
    total[2 * g:, :g], total[2 * g:, g:2 * g] = A, B
    covariance = total @ P @ total.T
    return (covariance + covariance.T) / 2.0
