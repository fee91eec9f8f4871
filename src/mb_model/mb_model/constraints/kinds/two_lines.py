"""Two lines at a given angle: welded bodies, sliders, positions along a slider.

With u = r_j - r_i, w = r_l - r_k and the constant angle a:

    phi = u^T G w - rate q[p] = 0,    G = [-sin a, cos a; -cos a, -sin a]     [m^2]

u^T G w is |u| |w| sin(angle from u to w - a).  So with rate = 0 the line k-l keeps the angle a from
the line i-j (a welded angle); with a = 0 and k = i the point l stays on the line i-j (a pinned
slider, Blanco-Claraco et al. 2021, Appendix III); with a = -pi/2 and k = i the first term is the
dot product, and q[p] the position of l along i-j when rate = |u|.  All is bilinear, so the third
derivatives vanish.  Points may coincide: everything adds to its row.

index: i, j, k, l, p; value: sine, cosine, rate, angle (which matters where rate is 0).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, sin
from typing import Any

from mb_model.constraints.equation import Equation, EquationKind
from mb_model.constraints.relation import Constraint, RelationKind
from mb_model.jit import kernel


@kernel
def evaluate(index, value, q, phi, phi_q, row):
    """Write phi[row]; add to phi_q[row, :]."""
    i, j, k, l, p = index[0], index[1], index[2], index[3], index[4]     # noqa: E741
    sine, cosine, rate = value[0], value[1], value[2]
    ux, uy = q[j] - q[i], q[j + 1] - q[i + 1]
    wx, wy = q[l] - q[k], q[l + 1] - q[k + 1]
    gx, gy = cosine * wy - sine * wx, -cosine * wx - sine * wy           # G w
    hx, hy = -sine * ux - cosine * uy, cosine * ux - sine * uy           # G^T u
    phi[row] = ux * gx + uy * gy - rate * q[p]
    phi_q[row, p] -= rate
    add_gradient(phi_q, row, i, j, k, l, gx, gy, hx, hy)


@kernel
def add_gradient(out, row, i, j, k, l, gx, gy, hx, hy):                  # noqa: E741
    """Add a derivative in u (gx, gy) and in w (hx, hy) to out[row, :]."""
    out[row, i] -= gx
    out[row, i + 1] -= gy
    out[row, j] += gx
    out[row, j + 1] += gy
    out[row, k] -= hx
    out[row, k + 1] -= hy
    out[row, l] += hx
    out[row, l + 1] += hy


@kernel
def second(index, value, q, v, out, row):
    """Add phi_qq v to out[row, :]."""
    i, j, k, l = index[0], index[1], index[2], index[3]                  # noqa: E741
    sine, cosine = value[0], value[1]
    ux, uy = v[j] - v[i], v[j + 1] - v[i + 1]
    wx, wy = v[l] - v[k], v[l + 1] - v[k + 1]
    add_gradient(out, row, i, j, k, l, cosine * wy - sine * wx, -cosine * wx - sine * wy,
                 -sine * ux - cosine * uy, cosine * ux - sine * uy)


@kernel
def add_curvature(index, sine, cosine, weight, out):
    """Add weight * phi_qq to out (n, n), at an angle."""
    s, c = weight * sine, weight * cosine
    for first, of_u in ((index[0], -1.0), (index[1], 1.0)):
        for other, of_w in ((index[2], -1.0), (index[3], 1.0)):
            sign = of_u * of_w
            for a, b, entry in ((first, other, -s), (first, other + 1, c),
                                (first + 1, other, -c), (first + 1, other + 1, -s)):
                out[a, b] += sign * entry
                out[b, a] += sign * entry


@kernel
def curvature(index, value, q, weight, out):
    """Add weight * phi_qq to out (n, n)."""
    add_curvature(index, value[0], value[1], weight, out)


@kernel
def product(i, j, k, l, sine, cosine, v, w):                             # noqa: E741
    """Return u(v)^T G w(w): linear in v and w, phi itself (but for the rate) with v = w = q."""
    ux, uy = v[j] - v[i], v[j + 1] - v[i + 1]
    wx, wy = w[l] - w[k], w[l + 1] - w[k + 1]
    return cosine * (ux * wy - uy * wx) - sine * (ux * wx + uy * wy)


@kernel
def both_products(i, j, k, l, sine, cosine, v, w):                       # noqa: E741
    """Return v^T phi_qq w at an angle."""
    return product(i, j, k, l, sine, cosine, v, w) + product(i, j, k, l, sine, cosine, w, v)


@kernel
def bilinear(i, j, k, l, p, s, c, q, v, w):                              # noqa: E741
    """Return v^T phi_qq w."""
    return both_products(i, j, k, l, s, c, v, w)


@kernel
def coordinate(index, value, q, old):
    """Return the position of l along i-j."""
    i, j, k, l = index[0], index[1], index[2], index[3]                  # noqa: E741
    return product(i, j, k, l, value[0], value[1], q, q) / value[2]


@kernel
def needs_span(value):
    """Return whether the rate, which is |u|, follows from it: where it is not 0."""
    return value[2] != 0.0


@kernel
def resize(value, length, span):
    """Write the rate, or sine and cosine of the angle."""
    if value[2] != 0.0:
        value[2] = span
    else:
        value[0], value[1] = sin(value[3]), cos(value[3])


@kernel
def resize_change(value, change, length, stretch, span_change):
    """Write the change of the rate, or of sine and cosine."""
    if value[2] != 0.0:
        change[2] = span_change
    else:
        change[0], change[1] = change[3] * value[1], -change[3] * value[0]


@kernel
def add_value_change(index, value, change, q, factor, out, row):
    """Add factor * phi_p to out."""
    out[row] += factor * (product(index[0], index[1], index[2], index[3], change[0], change[1], q,
                                  q) - change[2] * q[index[4]])


@kernel
def gradient_change(index, change, q, v, out, row):
    """Write phi_qp v."""
    out[row] = both_products(index[0], index[1], index[2], index[3], change[0], change[1], v,
                             q) - change[2] * v[index[4]]


@kernel
def curvature_change(index, change, v):
    """Return v^T phi_qqp v."""
    return both_products(index[0], index[1], index[2], index[3], change[0], change[1], v, v)


EQUATION = EquationKind(
    'two_lines', evaluate, second, curvature=curvature, bilinear=bilinear, coordinate=coordinate,
    needs_span=needs_span, resize=resize, resize_change=resize_change,
    add_value_change=add_value_change, gradient_change=gradient_change,
    curvature_change=curvature_change, closes_loops=True)


@dataclass(frozen=True)
class WeldedAngle(Constraint):
    """The x axis of the second of two bodies stays at `angle` [rad] from the first one's."""

    bodies: tuple[str, str]
    angle: float


def _read(entries: Any, path: str, name: str, value: dict[str, Any], points: Mapping[str, Any],
          bodies: Mapping[str, Any]) -> WeldedAngle:
    return WeldedAngle(name, 'welded_angle', entries.names(
        f'{path}.bodies', value['bodies'], bodies, 'body'), value['angle'])


def _equation(layout: Any, weld: WeldedAngle) -> Equation:
    first, second = (layout.axis(body) for body in weld.bodies)
    value = (sin(weld.angle), cos(weld.angle), 0.0, weld.angle)
    return Equation('two_lines', (*first, *second, first[0]), value, 1,
                    layout.longest(weld.bodies), f'constraints.{weld.name}',
                    2 * weld.bodies[:1] + 2 * weld.bodies[1:])


CONSTRAINT = RelationKind('welded_angle', {
    'description': "The angle from one body's x axis to another one's stays as it is.",
    'required': ['bodies', 'angle'],
    'properties': {
        'bodies': {'$ref': '#/$defs/two_names', 'description': 'From this body, to this one.'},
        'angle': {'$ref': '#/$defs/number', 'description': 'The angle [rad].'}},
}, _read, _equation, {'angle': 3})
