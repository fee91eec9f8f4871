"""Uncertainty of places: ellipses in the plane, ellipsoids in space, that hold them."""

from collections.abc import Sequence
from math import log

import numpy as np

from mb_model import Mechanism

PROBABILITY = 0.95
_QUANTILE = 7.814727903     # of chi-square with three degrees of freedom at 95 %


def point_covariances(mechanism: Mechanism, q: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """Return the covariances (k, 2, 2) [m^2] of the k moving points, in the order of q (n).

    covariance: of z, zd, ... in this order, square with at least (g, g).  To first order, by the
    velocity transformation: dq = R dz, so that cov(q) = R cov(z) R^T.
    Raises MechanismError where R is not known: singular positions, sparse storage.
    """
    moving = sum(not point.fixed for point in mechanism.points.values())
    R = mechanism.R(q)[:2 * moving].reshape(moving, 2, mechanism.g)
    return R @ np.asarray(covariance)[:mechanism.g, :mechanism.g] @ R.transpose(0, 2, 1)


def ellipses(covariances: np.ndarray,
             probability: float = PROBABILITY) -> tuple[np.ndarray, np.ndarray]:
    """Return the half axes (k, 2) [m], longest first, and angles (k) [rad] of ellipses.

    They hold normally distributed places of these covariances (k, 2, 2) with the probability: the
    squared Mahalanobis distance in the plane is below -2 ln(1 - probability) with it.  Ellipses of
    one degree of freedom are lines.
    """
    variances, axes = np.linalg.eigh(covariances)
    half = np.sqrt(-2.0 * log(1.0 - probability) * np.maximum(variances, 0.0))
    longest = axes[:, :, 1]
    return half[:, ::-1], np.arctan2(longest[:, 1], longest[:, 0])


def place_covariances(mechanism: Mechanism, q: np.ndarray, covariance: np.ndarray,
                      places: Sequence[tuple[str, np.ndarray]]) -> np.ndarray:
    """Return the covariances (k, 3, 3) [m^2] of places (body, place) at q (n), to first order.

    covariance: of z, zd, ... in this order, square with at least (g, g).  Raises MechanismError
    where R is not known: singular positions, sparse storage.
    """
    g, R = mechanism.g, mechanism.R(q)
    jacobians = np.zeros((len(places), 3, g))
    for k, (body, place) in enumerate(places):
        for node, weight in mechanism.place_terms(body, place):
            if node < mechanism.n:
                jacobians[k] += weight * R[node:node + 3]
    return jacobians @ np.asarray(covariance)[:g, :g] @ jacobians.transpose(0, 2, 1)


def ellipsoids(covariances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return half axes (k, 3) [m] and their directions, columns of rotation matrices (k, 3, 3).

    Of ellipsoids that hold normally distributed places with 95 %: the squared Mahalanobis distance
    is chi-square with three degrees of freedom.  With one degree of freedom they are lines.
    """
    variances, axes = np.linalg.eigh(covariances)
    axes[..., 0] *= np.sign(np.linalg.det(axes))[:, None]
    return np.sqrt(_QUANTILE * np.maximum(variances, 0.0)), axes
