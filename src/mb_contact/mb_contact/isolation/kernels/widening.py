"""What a place leaves open of the force that it explains, as a covariance."""

from math import sqrt

from mb_model.jit import entry, kernel
from mb_model.kernel_api import cholesky_factor, solve_lower


@kernel
def effect_of(place, way, k):
    """Return the effect of a unit force of a way on degree of freedom k."""
    return (place.share[way, 0] * place.effect[0, k] + place.share[way, 1] * place.effect[1, k]
            + place.share[way, 2] * place.effect[2, k])


@entry
def leave_open(evidence, place, way, g, size):
    """Write to columns what a force of a size [N] has beside its way; return how many there are.

    The forces that clamp something also accelerate it: by a force whose deviation along each axis
    is a share of the clamping force.  A place and a way stand for those around them: the force may
    be turned, and act elsewhere on the patch, where a curved surface turns it, too.
    """
    if size == 0.0:
        return 0
    if place.contacts == 2:
        share = size * sqrt(evidence.imbalance ** 2 + (evidence.settling / evidence.elapsed) ** 2)
        for axis in range(3):
            for k in range(g):
                evidence.columns[axis, k] = share * place.carried_effect[axis, k]
        return 3
    if place.spread[0] == 0.0:
        return 0
    for i in range(2):
        spread, curvature = size * place.spread[i], place.curvature[i]
        for k in range(g):
            moved = curvature * (place.share[way, 1 + i] * place.effect[0, k]
                                 - place.share[way, 0] * place.effect[1 + i, k])
            for axis in range(3):
                moved += place.share[way, axis] * place.moved_effect[i, axis, k]
            evidence.columns[i, k] = spread * moved
            evidence.columns[2 + i, k] = size * evidence.way_spread * place.effect[1 + i, k]
    return 4


@entry
def widen(evidence, place, way, g, count, length, explained, latest, total):
    """Return products with what a way explains once its columns are left open, and a factor.

    With b (g, count), the columns over the factor of the covariance, the covariance of the whole
    is C = I + b b^T; products with its inverse by Woodbury's identity, I - b (I + b^T b)^-1 b^T,
    and the determinant of C.
    """
    columns, matrix, products = evidence.columns, evidence.widening, evidence.products
    for i in range(count):
        products[0, i] = products[1, i] = products[2, i] = 0.0
        for j in range(i + 1):
            matrix[i, j] = 1.0 if i == j else 0.0
            for k in range(g):
                matrix[i, j] += columns[i, k] * columns[j, k]
        for k in range(g):
            products[0, i] += columns[i, k] * effect_of(place, way, k)
            products[1, i] += columns[i, k] * evidence.white[k]
            products[2, i] += columns[i, k] * evidence.white_latest[k]
    cholesky_factor(matrix, count)
    widened = 1.0
    for i in range(count):
        widened *= matrix[i, i] ** 2
    for i in range(3):
        solve_lower(matrix, products[i], count)
    for i in range(count):
        length -= products[0, i] * products[0, i]
        explained -= products[0, i] * products[1, i]
        latest -= products[0, i] * products[2, i]
        total -= products[1, i] * products[1, i]
    return length, explained, latest, total, widened
