"""An angle from the line between two points to the line between two others.

The constraint of two_lines with a variable angle a = q[p]:

    phi = u^T G(a) w = 0,    u = r_j - r_i,  w = r_l - r_k,  dG/da = G',  dG'/da = -G

Its derivative in a is -|u| |w| wherever it holds, so it never degenerates; see absolute_angle,
whose u is the x axis, for the choice between a and a + pi.

index: i, j, k, l, p.
"""

from collections.abc import Mapping
from math import atan2, cos, sin
from typing import Any

from mb_model.constraints.coordinate_keys import SCHEMA as SHARED
from mb_model.constraints.equation import Equation, EquationKind
from mb_model.constraints.kinds.absolute_angle import in_turn_of
from mb_model.constraints.kinds.two_lines import (
    add_curvature,
    add_gradient,
    both_products as both,
    product,
)
from mb_model.constraints.relation import Coordinate, RelationKind
from mb_model.jit import kernel


@kernel
def evaluate(index, value, q, phi, phi_q, row):
    """Write phi[row]; add to phi_q[row, :]."""
    i, j, k, l, p = index[0], index[1], index[2], index[3], index[4]     # noqa: E741
    s, c = sin(q[p]), cos(q[p])
    ux, uy = q[j] - q[i], q[j + 1] - q[i + 1]
    wx, wy = q[l] - q[k], q[l + 1] - q[k + 1]
    cross, dot = ux * wy - uy * wx, ux * wx + uy * wy
    phi[row] = c * cross - s * dot
    phi_q[row, p] -= s * cross + c * dot
    add_gradient(phi_q, row, i, j, k, l, c * wy - s * wx, -c * wx - s * wy,
                 -s * ux - c * uy, c * ux - s * uy)


@kernel
def second(index, value, q, v, out, row):
    """Add phi_qq v to out[row, :]."""
    i, j, k, l, p = index[0], index[1], index[2], index[3], index[4]     # noqa: E741
    s, c = sin(q[p]), cos(q[p])
    ux, uy = q[j] - q[i], q[j + 1] - q[i + 1]
    wx, wy = q[l] - q[k], q[l + 1] - q[k + 1]
    dux, duy = v[j] - v[i], v[j + 1] - v[i + 1]
    dwx, dwy = v[l] - v[k], v[l + 1] - v[k + 1]
    da = v[p]
    # G w is turned by the change of a and moved by the change of w; G' is G a quarter turn on.
    add_gradient(out, row, i, j, k, l,
                 c * dwy - s * dwx - (s * wy + c * wx) * da,
                 -c * dwx - s * dwy + (s * wx - c * wy) * da,
                 -s * dux - c * duy + (s * uy - c * ux) * da,
                 c * dux - s * duy - (s * ux + c * uy) * da)
    cross_rate = dux * wy - duy * wx + ux * dwy - uy * dwx
    dot_rate = dux * wx + duy * wy + ux * dwx + uy * dwy
    cross, dot = ux * wy - uy * wx, ux * wx + uy * wy
    out[row, p] -= s * cross_rate + c * dot_rate + (c * cross - s * dot) * da


@kernel
def third(index, value, q, v, e, out, row):
    """Add (phi_qq v)_q e to out[row, :]; symmetric in v and e."""
    i, j, k, l, p = index[0], index[1], index[2], index[3], index[4]     # noqa: E741
    s, c = sin(q[p]), cos(q[p])
    ux, uy = q[j] - q[i], q[j + 1] - q[i + 1]
    wx, wy = q[l] - q[k], q[l + 1] - q[k + 1]
    dux, duy, dwx, dwy, da = (v[j] - v[i], v[j + 1] - v[i + 1], v[l] - v[k], v[l + 1] - v[k + 1],
                              v[p])
    eux, euy, ewx, ewy, ea = (e[j] - e[i], e[j + 1] - e[i + 1], e[l] - e[k], e[l + 1] - e[k + 1],
                              e[p])
    # Sums of what G' and -G act on.
    wx1, wy1, wx2, wy2 = dwx * ea + ewx * da, dwy * ea + ewy * da, wx * da * ea, wy * da * ea
    ux1, uy1, ux2, uy2 = dux * ea + eux * da, duy * ea + euy * da, ux * da * ea, uy * da * ea
    add_gradient(out, row, i, j, k, l,
                 -(s * wy1 + c * wx1) - (c * wy2 - s * wx2),
                 (s * wx1 - c * wy1) + (c * wx2 + s * wy2),
                 (s * uy1 - c * ux1) + (s * ux2 + c * uy2),
                 -(s * ux1 + c * uy1) - (c * ux2 - s * uy2))
    cross_both = dux * ewy - duy * ewx + eux * dwy - euy * dwx
    dot_both = dux * ewx + duy * ewy + eux * dwx + euy * dwy
    cross_rate = ux1 * wy - uy1 * wx + ux * wy1 - uy * wx1
    dot_rate = ux1 * wx + uy1 * wy + ux * wx1 + uy * wy1
    cross, dot = ux * wy - uy * wx, ux * wx + uy * wy
    out[row, p] += (-(s * cross_both + c * dot_both) - (c * cross_rate - s * dot_rate)
                    + (s * cross + c * dot) * da * ea)


@kernel
def curvature(index, value, q, weight, out):
    """Add weight * phi_qq to out (n, n)."""
    p = index[4]
    s, c = sin(q[p]), cos(q[p])
    add_curvature(index, s, c, weight, out)
    ux, uy = q[index[1]] - q[index[0]], q[index[1] + 1] - q[index[0] + 1]
    wx, wy = q[index[3]] - q[index[2]], q[index[3] + 1] - q[index[2] + 1]
    for point, entry_x, entry_y in (
            (index[1], -(s * wy + c * wx), s * wx - c * wy),
            (index[0], s * wy + c * wx, c * wy - s * wx),
            (index[3], s * uy - c * ux, -(s * ux + c * uy)),
            (index[2], c * ux - s * uy, s * ux + c * uy)):
        out[point, p] += weight * entry_x
        out[p, point] += weight * entry_x
        out[point + 1, p] += weight * entry_y
        out[p, point + 1] += weight * entry_y
    out[p, p] -= weight * (c * (ux * wy - uy * wx) - s * (ux * wx + uy * wy))


@kernel
def bilinear(i, j, k, l, p, s, c, q, v, w):                              # noqa: E741
    """Return v^T phi_qq w; s, c: sine and cosine of q[p].

    Both with (c, -s) for (s, c) is the derivative of both in a.
    """
    return (both(i, j, k, l, s, c, v, w) + w[p] * both(i, j, k, l, c, -s, v, q)
            + v[p] * both(i, j, k, l, c, -s, w, q)
            - v[p] * w[p] * product(i, j, k, l, s, c, q, q))


@kernel
def trilinear(i, j, k, l, p, s, c, q, u, v, w):                          # noqa: E741
    """Return the third derivative along u, v and w."""
    return (u[p] * both(i, j, k, l, c, -s, v, w) + v[p] * both(i, j, k, l, c, -s, w, u)
            + w[p] * both(i, j, k, l, c, -s, u, v)
            - v[p] * w[p] * both(i, j, k, l, s, c, u, q)
            - w[p] * u[p] * both(i, j, k, l, s, c, v, q)
            - u[p] * v[p] * both(i, j, k, l, s, c, w, q)
            - u[p] * v[p] * w[p] * product(i, j, k, l, c, -s, q, q))


@kernel
def factors(index, value, q):
    """Return sine and cosine of the angle."""
    return sin(q[index[4]]), cos(q[index[4]])


@kernel
def coordinate(index, value, q, old):
    """Return the angle from the line i-j to the line k-l."""
    i, j, k, l = index[0], index[1], index[2], index[3]                  # noqa: E741
    ux, uy, wx, wy = q[j] - q[i], q[j + 1] - q[i + 1], q[l] - q[k], q[l + 1] - q[k + 1]
    return in_turn_of(atan2(ux * wy - uy * wx, ux * wx + uy * wy), old)


EQUATION = EquationKind('relative_angle', evaluate, second, third, curvature, factors, bilinear,
                        trilinear, coordinate)


def _read(entries: Any, path: str, name: str, value: dict[str, Any], points: Mapping[str, Any],
          bodies: Mapping[str, Any]) -> Coordinate:
    return Coordinate(name, 'relative_angle', 'rad', bodies=entries.names(
        f'{path}.bodies', value['bodies'], bodies, 'body'))


def _equation(layout: Any, angle: Coordinate) -> Equation:
    first, second_axis = (layout.axis(body) for body in angle.bodies)
    return Equation('relative_angle', (*first, *second_axis, layout.index(angle.name)), (), 1,
                    layout.longest(angle.bodies), f'coordinates.{angle.name}',
                    2 * angle.bodies[:1] + 2 * angle.bodies[1:])


COORDINATE = RelationKind('relative_angle', {
    'description': 'Angle from the x axis of one body to the x axis of another [rad].',
    'required': ['bodies'],
    'properties': {'bodies': {'$ref': '#/$defs/two_names',
                              'description': 'From this body, to this one.'}} | SHARED,
}, _read, _equation)
