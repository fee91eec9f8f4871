"""A thin disc whose rim touches a plane: its centre is r times the cosine of its camber above it.

    phi = (n . d)^2 + r^2 (n . u)^2 - r^2

vectors: d, to the centre from a point of the plane, and u, the axis of the disc, a unit
vector; value: r [m], and the normal n of the plane, which is at rest.
"""

from mb_model.arrays import FloatArray
from mb_model.jit import kernel
from mb_model.space.equation import NONE, SpatialEquation, SpatialEquationKind
from mb_model.space.vectors import dot, spread_outer, spread_row, times, vector, weighted


@kernel
def _normal(model, k):
    """Return n of an equation."""
    return model.space_value[k, 1], model.space_value[k, 2], model.space_value[k, 3]


@kernel
def _along(model, k, v):
    """Return n . d and n . u for v."""
    n = _normal(model, k)
    return (dot(n, vector(model, model.space_vector[k, 0], v)),
            dot(n, vector(model, model.space_vector[k, 1], v)))


@kernel
def _add_row(model, k, height, lean, out, row):
    """Add what makes 2 height (n . d) + 2 r^2 lean (n . u) of a vector to out[row]."""
    radius = model.space_value[k, 0]
    x, y, z = times(2.0 * height, _normal(model, k))
    spread_row(model, model.space_vector[k, 0], x, y, z, out, row)
    x, y, z = times(2.0 * radius * radius * lean, _normal(model, k))
    spread_row(model, model.space_vector[k, 1], x, y, z, out, row)


@kernel
def evaluate(model, k, q, phi, phi_q, row):
    """Write phi[row] and phi_q[row]."""
    radius, (height, lean) = model.space_value[k, 0], _along(model, k, q)
    phi[row] = height * height + radius * radius * (lean * lean - 1.0)
    _add_row(model, k, height, lean, phi_q, row)


@kernel
def second(model, k, q, v, weight, out, row):
    """Add weight phi_qq v to out[row]."""
    height, lean = _along(model, k, v)
    _add_row(model, k, weight * height, weight * lean, out, row)


@kernel
def curvature(model, k, q, weight, out):
    """Add weight phi_qq to out."""
    n, radius = _normal(model, k), model.space_value[k, 0]
    d, u = model.space_vector[k, 0], model.space_vector[k, 1]
    spread_outer(model, d, n, d, n, 2.0 * weight, out)
    spread_outer(model, u, n, u, n, 2.0 * weight * radius * radius, out)


@kernel
def bilinear(model, k, q, v, w):
    """Return v^T phi_qq w."""
    radius, (height, lean), (rise, tilt) = (
        model.space_value[k, 0], _along(model, k, v), _along(model, k, w))
    return 2.0 * (height * rise + radius * radius * lean * tilt)


@kernel
def bilinear_change(model, weights, k, v, w):
    """Return the change of bilinear with changes of the weights of terms, of the centre alone."""
    n, d = _normal(model, k), model.space_vector[k, 0]
    return 2.0 * (dot(n, weighted(model, weights, d, v)) * dot(n, vector(model, d, w))
                  + dot(n, vector(model, d, v)) * dot(n, weighted(model, weights, d, w)))


EQUATION = SpatialEquationKind('rim', evaluate, second, curvature, bilinear,
                               bilinear_change=bilinear_change)


def rim_equation(between: int, axis: int, radius: float, normal: FloatArray,
                 meaning: str) -> SpatialEquation:
    """Return the SpatialEquation of a disc; between, axis: vectors; normal (3)."""
    return SpatialEquation('rim', (between, axis, NONE, NONE), (NONE, NONE),
                           (radius, *map(float, normal)), 2.0 * radius, meaning)
