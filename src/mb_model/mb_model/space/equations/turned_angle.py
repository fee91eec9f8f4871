"""The angle by which a direction b is turned in the plane of two perpendicular unit vectors x, y.

    phi = cos(s) y . b - sin(s) x . b

vectors: x, y, b; scalars: s [rad].  It is as steep everywhere; the solution half a turn away is
another branch.
"""

from math import atan2, cos, pi, sin

from mb_model.jit import kernel
from mb_model.space.equation import NONE, SpatialEquation, SpatialEquationKind
from mb_model.space.vectors import (
    spread_column,
    spread_product,
    spread_row,
    vector,
)


@kernel
def _seen(model, k, v):
    """Return the vectors x, y, b of an equation for v."""
    vectors = model.space_vector[k]
    return vector(model, vectors[0], v), vector(model, vectors[1], v), vector(model, vectors[2], v)


@kernel
def _dot(a, b):
    """Return the product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def _along(seen, other, cosine, sine):
    """Return cosine (y . b) + sine (x . b), differentiated along both that are seen."""
    return (cosine * (_dot(seen[1], other[2]) + _dot(other[1], seen[2]))
            + sine * (_dot(seen[0], other[2]) + _dot(other[0], seen[2])))


@kernel
def _add_row(model, k, seen, cosine, sine, out, row):
    """Add the derivative of cosine (y . b) + sine (x . b) for vectors that are seen to out[row]."""
    vectors, x, y, b = model.space_vector[k], seen[0], seen[1], seen[2]
    spread_row(model, vectors[1], cosine * b[0], cosine * b[1], cosine * b[2], out, row)
    spread_row(model, vectors[0], sine * b[0], sine * b[1], sine * b[2], out, row)
    spread_row(model, vectors[2], cosine * y[0] + sine * x[0], cosine * y[1] + sine * x[1],
               cosine * y[2] + sine * x[2], out, row)


@kernel
def evaluate(model, k, q, phi, phi_q, row):
    """Write phi[row] and phi_q[row]."""
    s, here = model.space_scalar[k, 0], _seen(model, k, q)
    cosine, sine = cos(q[s]), sin(q[s])
    across, along = _dot(here[1], here[2]), _dot(here[0], here[2])
    phi[row] = cosine * across - sine * along
    _add_row(model, k, here, cosine, -sine, phi_q, row)
    phi_q[row, s] -= sine * across + cosine * along


@kernel
def second(model, k, q, v, weight, out, row):
    """Add weight phi_qq v to out[row]."""
    s, here, moved = model.space_scalar[k, 0], _seen(model, k, q), _seen(model, k, v)
    cosine, sine = weight * cos(q[s]), weight * sin(q[s])
    across, along = _dot(here[1], here[2]), _dot(here[0], here[2])
    _add_row(model, k, moved, cosine, -sine, out, row)
    _add_row(model, k, here, -sine * v[s], -cosine * v[s], out, row)
    out[row, s] += _along(here, moved, -sine, -cosine) + v[s] * (sine * along - cosine * across)


@kernel
def third(model, k, q, v, w, out):
    """Add (phi_qq v)_q w to its row of out."""
    row, s = model.space_row[k], model.space_scalar[k, 0]
    here, moved, other = _seen(model, k, q), _seen(model, k, v), _seen(model, k, w)
    cosine, sine = cos(q[s]), sin(q[s])
    across, along = _dot(here[1], here[2]), _dot(here[0], here[2])
    _add_row(model, k, other, -sine * v[s], -cosine * v[s], out, row)
    _add_row(model, k, moved, -sine * w[s], -cosine * w[s], out, row)
    both = v[s] * w[s]
    _add_row(model, k, here, -cosine * both, sine * both, out, row)
    out[row, s] += (_along(moved, other, -sine, -cosine)
                    + v[s] * _along(here, other, -cosine, sine)
                    + w[s] * _along(here, moved, -cosine, sine)
                    + both * (sine * across + cosine * along))


@kernel
def curvature(model, k, q, weight, out):
    """Add weight phi_qq to out."""
    s, vectors, (x, y, b) = model.space_scalar[k, 0], model.space_vector[k], _seen(model, k, q)
    cosine, sine = weight * cos(q[s]), weight * sin(q[s])
    spread_product(model, vectors[1], vectors[2], cosine, out)
    spread_product(model, vectors[0], vectors[2], -sine, out)
    spread_column(model, vectors[1], s, -sine * b[0], -sine * b[1], -sine * b[2], out)
    spread_column(model, vectors[0], s, -cosine * b[0], -cosine * b[1], -cosine * b[2], out)
    spread_column(model, vectors[2], s, -sine * y[0] - cosine * x[0], -sine * y[1] - cosine * x[1],
                  -sine * y[2] - cosine * x[2], out)
    out[s, s] += sine * _dot(x, b) - cosine * _dot(y, b)


@kernel
def bilinear(model, k, q, v, w):
    """Return v^T phi_qq w."""
    s, here = model.space_scalar[k, 0], _seen(model, k, q)
    moved, other = _seen(model, k, v), _seen(model, k, w)
    cosine, sine = cos(q[s]), sin(q[s])
    across, along = _dot(here[1], here[2]), _dot(here[0], here[2])
    return (_along(moved, other, cosine, -sine)
            + v[s] * _along(here, other, -sine, -cosine)
            + w[s] * _along(here, moved, -sine, -cosine)
            + v[s] * w[s] * (sine * along - cosine * across))


@kernel
def trilinear(model, k, q, u, v, w):
    """Return the third derivative along u, v, w."""
    s, here = model.space_scalar[k, 0], _seen(model, k, q)
    first, moved, other = _seen(model, k, u), _seen(model, k, v), _seen(model, k, w)
    cosine, sine = cos(q[s]), sin(q[s])
    across, along = _dot(here[1], here[2]), _dot(here[0], here[2])
    return (u[s] * _along(moved, other, -sine, -cosine)
            + v[s] * _along(first, other, -sine, -cosine)
            + w[s] * _along(first, moved, -sine, -cosine)
            + u[s] * v[s] * _along(here, other, -cosine, sine)
            + u[s] * w[s] * _along(here, moved, -cosine, sine)
            + v[s] * w[s] * _along(here, first, -cosine, sine)
            + u[s] * v[s] * w[s] * (sine * across + cosine * along))


@kernel
def coordinate(model, k, q, old):
    """Return the angle, in the turn next to an old one."""
    x, y, b = _seen(model, k, q)
    angle = atan2(_dot(y, b), _dot(x, b))
    return angle + 2.0 * pi * round((old - angle) / (2.0 * pi))


EQUATION = SpatialEquationKind('turned_angle', evaluate, second, curvature, bilinear, third,
                               trilinear, coordinate=coordinate)


def angle_equation(x: int, y: int, direction: int, scalar: int, meaning: str) -> SpatialEquation:
    """Return the SpatialEquation of an angle; x, y, direction: vectors."""
    return SpatialEquation('turned_angle', (x, y, direction, NONE), (scalar, NONE), (), 1.0,
                           meaning)
