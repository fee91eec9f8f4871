"""Sums of products of vectors, and of coordinates: lengths, right angles, coincidence, gears.

    phi = w1 a1 . b1 + w2 a2 . b2 + c1 s1 + c2 s2 + d s1^2 + e

vectors: a1, b1, a2, b2; scalars: s1, s2; value: w1, w2, c1, c2, d, e.  In a coordinate
of the position of a point b1 is a global axis, in a distance a1 and b1 are the same vector and
d = -1.
"""

from math import sqrt

from mb_model.jit import kernel
from mb_model.space.equation import NONE, SpatialEquation, SpatialEquationKind
from mb_model.space.vectors import (
    product,
    product_change,
    spread_product,
    spread_row,
    vector,
)


@kernel
def evaluate(model, k, q, phi, phi_q, row):
    """Write phi[row] and phi_q[row]."""
    value, total = model.space_value[k], model.space_value[k, 5]
    for p in range(2):
        a, b, weight = model.space_vector[k, 2 * p], model.space_vector[k, 2 * p + 1], value[p]
        if a >= 0:
            ax, ay, az = vector(model, a, q)
            bx, by, bz = vector(model, b, q)
            total += weight * (ax * bx + ay * by + az * bz)
            spread_row(model, a, weight * bx, weight * by, weight * bz, phi_q, row)
            spread_row(model, b, weight * ax, weight * ay, weight * az, phi_q, row)
        s = model.space_scalar[k, p]
        if s >= 0:
            square = value[4] if p == 0 else 0.0
            total += q[s] * (value[2 + p] + square * q[s])
            phi_q[row, s] += value[2 + p] + 2.0 * square * q[s]
    phi[row] = total


@kernel
def second(model, k, q, v, weight, out, row):
    """Add weight phi_qq v to out[row]."""
    for p in range(2):
        a, b = model.space_vector[k, 2 * p], model.space_vector[k, 2 * p + 1]
        share = weight * model.space_value[k, p]
        if a >= 0:
            ax, ay, az = vector(model, a, v)
            bx, by, bz = vector(model, b, v)
            spread_row(model, a, share * bx, share * by, share * bz, out, row)
            spread_row(model, b, share * ax, share * ay, share * az, out, row)
    s = model.space_scalar[k, 0]
    if s >= 0:
        out[row, s] += 2.0 * weight * model.space_value[k, 4] * v[s]


@kernel
def curvature(model, k, q, weight, out):
    """Add weight phi_qq to out."""
    for p in range(2):
        a, b = model.space_vector[k, 2 * p], model.space_vector[k, 2 * p + 1]
        if a >= 0:
            spread_product(model, a, b, weight * model.space_value[k, p], out)
    s = model.space_scalar[k, 0]
    if s >= 0:
        out[s, s] += 2.0 * weight * model.space_value[k, 4]


@kernel
def bilinear(model, k, q, v, w):
    """Return v^T phi_qq w."""
    total = 0.0
    for p in range(2):
        a, b = model.space_vector[k, 2 * p], model.space_vector[k, 2 * p + 1]
        if a >= 0:
            total += model.space_value[k, p] * (product(model, a, b, v, w)
                                                + product(model, a, b, w, v))
    s = model.space_scalar[k, 0]
    if s >= 0:
        total += 2.0 * model.space_value[k, 4] * v[s] * w[s]
    return total


@kernel
def bilinear_change(model, weights, k, v, w):
    """Return the change of bilinear with changes of the weights of terms."""
    total = 0.0
    for p in range(2):
        a, b = model.space_vector[k, 2 * p], model.space_vector[k, 2 * p + 1]
        if a >= 0:
            total += model.space_value[k, p] * (product_change(model, weights, a, b, v, w)
                                                + product_change(model, weights, a, b, w, v))
    return total


@kernel
def coordinate(model, k, q, old):
    """Return s1 from the vectors and s2; a distance is positive."""
    rest = model.space_value[k, 5]
    for p in range(2):
        a, b = model.space_vector[k, 2 * p], model.space_vector[k, 2 * p + 1]
        if a >= 0:
            rest += model.space_value[k, p] * product(model, a, b, q, q)
    if model.space_scalar[k, 1] >= 0:
        rest += model.space_value[k, 3] * q[model.space_scalar[k, 1]]
    linear, square = model.space_value[k, 2], model.space_value[k, 4]
    if square != 0.0:
        return sqrt(max(-rest / square, 0.0))
    return -rest / linear


EQUATION = SpatialEquationKind('products', evaluate, second, curvature, bilinear,
                               bilinear_change=bilinear_change, coordinate=coordinate)


def product_equation(a: int, b: int, constant: float, slope: float, meaning: str,
                     scalar: int = NONE, linear: float = 0.0, square: float = 0.0
                     ) -> SpatialEquation:
    """Return the SpatialEquation a . b + linear s + square s^2 = constant; a, b: vectors."""
    return SpatialEquation('products', (a, b, NONE, NONE), (scalar, NONE),
                           (1.0, 0.0, linear, 0.0, square, -constant), slope, meaning)


def difference_equation(first: tuple[int, int], other: tuple[int, int], factor: float,
                        scalar: int, meaning: str) -> SpatialEquation:
    """Return factor (a1 . b1 - a2 . b2) = s; first, other: pairs of vectors."""
    return SpatialEquation('products', (*first, *other), (scalar, NONE),
                           (factor, -factor, -1.0, 0.0, 0.0, 0.0), 1.0, meaning)


def linear_equation(scalars: tuple[int, int], factors: tuple[float, float], constant: float,
                    slope: float, meaning: str) -> SpatialEquation:
    """Return factors[0] s1 + factors[1] s2 = constant."""
    return SpatialEquation('products', 4 * (NONE,), scalars,
                           (0.0, 0.0, *factors, 0.0, -constant), slope, meaning)
