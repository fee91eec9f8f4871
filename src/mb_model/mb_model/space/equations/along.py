"""A vector d that is s times a unit vector u, in one direction e: a strut of two slender bodies.

    phi = d . e - s u . e

vectors: d, u, e (fixed); scalars: s.  Three of them, one for each global axis e, say d = s u.
"""

from mb_model.jit import kernel
from mb_model.space.equation import NONE, SpatialEquation, SpatialEquationKind
from mb_model.space.vectors import (
    product,
    product_change,
    spread_column,
    spread_row,
    vector,
)


@kernel
def evaluate(model, k, q, phi, phi_q, row):
    """Write phi[row] and phi_q[row]."""
    s = model.space_scalar[k, 0]
    d, u, e = model.space_vector[k, 0], model.space_vector[k, 1], model.space_vector[k, 2]
    x, y, z = vector(model, e, q)
    along = product(model, u, e, q, q)
    phi[row] = product(model, d, e, q, q) - q[s] * along
    spread_row(model, d, x, y, z, phi_q, row)
    spread_row(model, u, -q[s] * x, -q[s] * y, -q[s] * z, phi_q, row)
    phi_q[row, s] -= along


@kernel
def second(model, k, q, v, weight, out, row):
    """Add weight phi_qq v to out[row]."""
    s, u, e = model.space_scalar[k, 0], model.space_vector[k, 1], model.space_vector[k, 2]
    x, y, z = vector(model, e, q)
    share = -weight * v[s]
    spread_row(model, u, share * x, share * y, share * z, out, row)
    out[row, s] -= weight * product(model, u, e, v, q)


@kernel
def curvature(model, k, q, weight, out):
    """Add weight phi_qq to out."""
    x, y, z = vector(model, model.space_vector[k, 2], q)
    spread_column(model, model.space_vector[k, 1], model.space_scalar[k, 0], -weight * x,
                  -weight * y, -weight * z, out)


@kernel
def bilinear(model, k, q, v, w):
    """Return v^T phi_qq w."""
    u, e, s = model.space_vector[k, 1], model.space_vector[k, 2], model.space_scalar[k, 0]
    return -v[s] * product(model, u, e, w, q) - w[s] * product(model, u, e, v, q)


@kernel
def bilinear_change(model, weights, k, v, w):
    """Return the change of d . e with changes of the weights of terms, as of bilinear."""
    d, e = model.space_vector[k, 0], model.space_vector[k, 2]
    return (product_change(model, weights, d, e, v, w)
            + product_change(model, weights, d, e, w, v))


@kernel
def coordinate(model, k, q, old):
    """Return s."""
    return product(model, model.space_vector[k, 0], model.space_vector[k, 1], q, q)


EQUATION = SpatialEquationKind('along', evaluate, second, curvature, bilinear,
                               bilinear_change=bilinear_change, coordinate=coordinate)


def along_equation(between: int, unit: int, axis: int, scalar: int,
                   meaning: str) -> SpatialEquation:
    """Return the SpatialEquation between . axis = s unit . axis; all three: vectors."""
    return SpatialEquation('along', (between, unit, axis, NONE), (scalar, NONE), (), 1.0, meaning)
