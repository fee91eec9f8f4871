"""Hermite polynomials of standard normal numbers, and Gauss's nodes: what polynomial chaos is of.

The polynomials are orthonormal: the mean of a product of two is 1 if they are the same, else 0.
"""

from itertools import combinations_with_replacement, product
from math import factorial

import numpy as np
from numpy.polynomial.hermite_e import hermegauss, hermevander

from mb_model.arrays import FloatArray, IntArray


def powers_up_to(count: int, degree: int) -> IntArray:
    """Return the powers (terms, count) of all products up to a total degree, sorted by degree.

    count: of numbers.  The constant comes first, then one number each, in order.
    """
    return np.array([np.bincount(np.array(chosen, int), minlength=count)
                     for total in range(degree + 1)
                     for chosen in combinations_with_replacement(range(count), total)])


def polynomials(powers: IntArray, xi: FloatArray) -> FloatArray:
    """Return the polynomials (terms, k) of powers (terms, count) at points (k, count)."""
    degree = int(powers.max())
    norms = np.sqrt([factorial(power) for power in range(degree + 1)])
    single = hermevander(xi, degree) / norms            # (k, count, degree + 1)
    return np.prod(single[:, np.arange(powers.shape[1]), powers], axis=-1).T


def gauss_nodes(count: int, degree: int) -> tuple[FloatArray, FloatArray]:
    """Return (degree + 1)^count nodes (k, count) and their weights, which add up to 1.

    They integrate what has at most the power 2 degree + 1 of each number exactly.
    """
    nodes, weights = hermegauss(degree + 1)
    weights = weights / weights.sum()
    return (np.array(list(product(nodes, repeat=count))),
            np.prod(list(product(weights, repeat=count)), axis=1))
