"""Errors in units of the covariance that is claimed for them."""

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.consistency.chi_square import chi_square_interval
from mb_model.arrays import FloatArray


def whitened(errors: ArrayLike, covariances: FloatArray) -> FloatArray:
    """Return L^-1 e for errors e (k, n) and covariances L L^T (k, n, n).

    If the covariances are right, its entries are independent, of mean 0 and variance 1.
    """
    factors = np.linalg.cholesky(covariances)
    return np.linalg.solve(factors, np.asarray(errors, float)[..., None])[..., 0]


def normalized_squares(errors: ArrayLike, covariances: FloatArray) -> FloatArray:
    """Return e^T P^-1 e (k) of errors e (k, n) and covariances P (k, n, n).

    NEES for errors of the estimate, NIS for innovations: chi-square variables
    with n degrees of freedom if the covariances are right.
    """
    return np.sum(whitened(errors, covariances) ** 2, axis=-1)


def agreement(squares: ArrayLike, sizes: ArrayLike, level: float = 0.95) -> tuple[float, float]:
    """Return the mean of normalized squares per entry, 1 if consistent, and the share inside.

    squares (k), of errors with sizes (k) entries; inside: the interval of each at the level.
    """
    squares, sizes = np.asarray(squares, float), np.asarray(sizes, float)
    low, high = chi_square_interval(sizes, level)
    return (float(squares.sum() / sizes.sum()),
            float(np.mean((squares >= low) & (squares <= high))))
