"""The angle by which a direction b is turned in the plane of two perpendicular unit vectors x, y.

    phi = cos(s) y . b - sin(s) x . b

vectors: x, y, b; scalars: s [rad].  It is as steep everywhere; the solution half a turn away is
another branch.
"""

from math import atan2, cos, pi, sin

from mb_model.jit import kernel
from mb_model.space.equation import NONE, SpatialEquation, SpatialEquationKind
from mb_model.space.vectors import (
    product,
    spread_column,
    spread_product,
    spread_row,
    vector,
)


@kernel
def _places(model, k):
    """Return x, y, b, s of an equation."""
    vectors = model.space_vector[k]
    return vectors[0], vectors[1], vectors[2], model.space_scalar[k, 0]


@kernel
def _along(model, x, y, b, v, w, cosine, sine):
    """Return cosine (y . b) + sine (x . b), differentiated along v and w if they differ from q."""
    return (cosine * (product(model, y, b, v, w) + product(model, y, b, w, v))
            + sine * (product(model, x, b, v, w) + product(model, x, b, w, v)))


@kernel
def _add_row(model, x, y, b, v, cosine, sine, out, row):
    """Add the derivative of cosine (y . b) + sine (x . b), vectors those for v, to out[row]."""
    xx, xy, xz = vector(model, x, v)
    yx, yy, yz = vector(model, y, v)
    bx, by, bz = vector(model, b, v)
    spread_row(model, y, cosine * bx, cosine * by, cosine * bz, out, row)
    spread_row(model, x, sine * bx, sine * by, sine * bz, out, row)
    spread_row(model, b, cosine * yx + sine * xx, cosine * yy + sine * xy,
               cosine * yz + sine * xz, out, row)


@kernel
def evaluate(model, k, q, phi, phi_q, row):
    """Write phi[row] and phi_q[row]."""
    x, y, b, s = _places(model, k)
    cosine, sine = cos(q[s]), sin(q[s])
    across, along = product(model, y, b, q, q), product(model, x, b, q, q)
    phi[row] = cosine * across - sine * along
    _add_row(model, x, y, b, q, cosine, -sine, phi_q, row)
    phi_q[row, s] -= sine * across + cosine * along


@kernel
def second(model, k, q, v, out):
    """Write phi_qq v to its row of out."""
    x, y, b, s = _places(model, k)
    row, cosine, sine = model.space_row[k], cos(q[s]), sin(q[s])
    across, along = product(model, y, b, q, q), product(model, x, b, q, q)
    _add_row(model, x, y, b, v, cosine, -sine, out, row)
    _add_row(model, x, y, b, q, -sine * v[s], -cosine * v[s], out, row)
    out[row, s] += (_along(model, x, y, b, q, v, -sine, -cosine)
                    + v[s] * (sine * along - cosine * across))


@kernel
def third(model, k, q, v, w, out):
    """Write (phi_qq v)_q w to its row of out."""
    x, y, b, s = _places(model, k)
    row, cosine, sine = model.space_row[k], cos(q[s]), sin(q[s])
    across, along = product(model, y, b, q, q), product(model, x, b, q, q)
    _add_row(model, x, y, b, w, -sine * v[s], -cosine * v[s], out, row)
    _add_row(model, x, y, b, v, -sine * w[s], -cosine * w[s], out, row)
    both = v[s] * w[s]
    _add_row(model, x, y, b, q, -cosine * both, sine * both, out, row)
    out[row, s] += (_along(model, x, y, b, v, w, -sine, -cosine)
                    + v[s] * _along(model, x, y, b, q, w, -cosine, sine)
                    + w[s] * _along(model, x, y, b, q, v, -cosine, sine)
                    + both * (sine * across + cosine * along))


@kernel
def curvature(model, k, q, weight, out):
    """Add weight phi_qq to out."""
    x, y, b, s = _places(model, k)
    cosine, sine = weight * cos(q[s]), weight * sin(q[s])
    across, along = product(model, y, b, q, q), product(model, x, b, q, q)
    spread_product(model, y, b, cosine, out)
    spread_product(model, x, b, -sine, out)
    xx, xy, xz = vector(model, x, q)
    yx, yy, yz = vector(model, y, q)
    bx, by, bz = vector(model, b, q)
    spread_column(model, y, s, -sine * bx, -sine * by, -sine * bz, out)
    spread_column(model, x, s, -cosine * bx, -cosine * by, -cosine * bz, out)
    spread_column(model, b, s, -sine * yx - cosine * xx, -sine * yy - cosine * xy,
                  -sine * yz - cosine * xz, out)
    out[s, s] += sine * along - cosine * across


@kernel
def bilinear(model, k, q, v, w):
    """Return v^T phi_qq w."""
    x, y, b, s = _places(model, k)
    cosine, sine = cos(q[s]), sin(q[s])
    across, along = product(model, y, b, q, q), product(model, x, b, q, q)
    return (_along(model, x, y, b, v, w, cosine, -sine)
            + v[s] * _along(model, x, y, b, q, w, -sine, -cosine)
            + w[s] * _along(model, x, y, b, q, v, -sine, -cosine)
            + v[s] * w[s] * (sine * along - cosine * across))


@kernel
def trilinear(model, k, q, u, v, w):
    """Return the third derivative along u, v, w."""
    x, y, b, s = _places(model, k)
    cosine, sine = cos(q[s]), sin(q[s])
    across, along = product(model, y, b, q, q), product(model, x, b, q, q)
    return (u[s] * _along(model, x, y, b, v, w, -sine, -cosine)
            + v[s] * _along(model, x, y, b, u, w, -sine, -cosine)
            + w[s] * _along(model, x, y, b, u, v, -sine, -cosine)
            + u[s] * v[s] * _along(model, x, y, b, q, w, -cosine, sine)
            + u[s] * w[s] * _along(model, x, y, b, q, v, -cosine, sine)
            + v[s] * w[s] * _along(model, x, y, b, q, u, -cosine, sine)
            + u[s] * v[s] * w[s] * (sine * across + cosine * along))


@kernel
def coordinate(model, k, q, old):
    """Return the angle, in the turn next to an old one."""
    x, y, b, _ = _places(model, k)
    angle = atan2(product(model, y, b, q, q), product(model, x, b, q, q))
    return angle + 2.0 * pi * round((old - angle) / (2.0 * pi))


EQUATION = SpatialEquationKind('turned_angle', evaluate, second, curvature, bilinear, third,
                               trilinear, coordinate=coordinate)


def angle_equation(x, y, direction, scalar, meaning):
    """Return the SpatialEquation of an angle; x, y, direction: vectors."""
    return SpatialEquation('turned_angle', (x, y, direction, NONE), (scalar, NONE), (), 1.0,
                           meaning)
