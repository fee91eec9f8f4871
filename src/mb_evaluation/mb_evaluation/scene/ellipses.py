"""Uncertainty of the places of points: ellipses that hold them with a probability."""

from math import log

import numpy as np

PROBABILITY = 0.95


def point_covariances(mechanism, q, covariance):
    """Return the covariances (k, 2, 2) [m^2] of the k moving points, in the order of q (n).

    covariance: of z, zd, ... in this order, square with at least (g, g).  To first order, by the
    velocity transformation: dq = R dz, so that cov(q) = R cov(z) R^T.
    Raises MechanismError where R is not known: singular positions, sparse storage.
    """
    moving = sum(not point.fixed for point in mechanism.points.values())
    R = mechanism.R(q)[:2 * moving].reshape(moving, 2, mechanism.g)
    return R @ np.asarray(covariance)[:mechanism.g, :mechanism.g] @ R.transpose(0, 2, 1)


def ellipses(covariances, probability=PROBABILITY):
    """Return the half axes (k, 2) [m], longest first, and angles (k) [rad] of ellipses.

    They hold normally distributed places of these covariances (k, 2, 2) with the probability: the
    squared Mahalanobis distance in the plane is below -2 ln(1 - probability) with it.  Ellipses of
    one degree of freedom are lines.
    """
    variances, axes = np.linalg.eigh(covariances)
    half = np.sqrt(-2.0 * log(1.0 - probability) * np.maximum(variances, 0.0))
    longest = axes[:, :, 1]
    return half[:, ::-1], np.arctan2(longest[:, 1], longest[:, 0])
