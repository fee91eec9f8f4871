"""An angle that follows the line between two points, measured from the global x axis.

The points are of a body, or the centre of a track and of a wheel on it, see rolling.
index: i, j, a.
"""

from collections.abc import Mapping
from math import atan2, cos, pi, sin
from typing import Any

from mb_model.constraints.coordinate_keys import SCHEMA as SHARED
from mb_model.constraints.equation import Equation, EquationKind
from mb_model.constraints.relation import Coordinate, RelationKind
from mb_model.jit import kernel


@kernel
def evaluate(index, value, q, phi, phi_q, row):
    """Point j lies on the ray from point i at the angle q[a]: what sticks out of it is 0 [m].

        -(x_j - x_i) sin a + (y_j - y_i) cos a = 0

    The one smooth combination of the two equations of Blanco-Claraco et al. 2021, Appendix III
    (x_j - x_i = L cos a, y_j - y_i = L sin a), which are used by turns there: a switch between
    them makes the multiplier jump in the middle of a motion.  Its derivative in a is -L wherever
    it holds, so it never degenerates.  Of its two solutions, a and a + pi, the position problem
    keeps the one it started on (the sign of the determinant differs).
    """
    i, j, a = index[0], index[1], index[2]
    s, c = sin(q[a]), cos(q[a])
    dx = q[j] - q[i]
    dy = q[j + 1] - q[i + 1]
    phi[row] = dy * c - dx * s
    phi_q[row, i], phi_q[row, i + 1] = s, -c
    phi_q[row, j], phi_q[row, j + 1] = -s, c
    phi_q[row, a] = -(dx * c + dy * s)


@kernel
def second(index, value, q, v, out, row):
    """Write phi_qq v into out[row, :]."""
    i, j, a = index[0], index[1], index[2]
    s, c = sin(q[a]), cos(q[a])
    va = v[a]
    out[row, i], out[row, i + 1] = c * va, s * va
    out[row, j], out[row, j + 1] = -c * va, -s * va
    outside = (q[j + 1] - q[i + 1]) * c - (q[j] - q[i]) * s
    out[row, a] = -c * (v[j] - v[i]) - s * (v[j + 1] - v[i + 1]) - outside * va


@kernel
def third(index, value, q, v, w, out, row):
    """Write (phi_qq v)_q w into out[row, :]; symmetric in v and w."""
    i, j, a = index[0], index[1], index[2]
    s, c = sin(q[a]), cos(q[a])
    product = v[a] * w[a]
    out[row, i], out[row, i + 1] = -s * product, c * product
    out[row, j], out[row, j + 1] = s * product, -c * product
    along = (q[j] - q[i]) * c + (q[j + 1] - q[i + 1]) * s
    across_v = (v[j] - v[i]) * s - (v[j + 1] - v[i + 1]) * c
    across_w = (w[j] - w[i]) * s - (w[j + 1] - w[i + 1]) * c
    out[row, a] = across_v * w[a] + across_w * v[a] + along * product


@kernel
def curvature(index, value, q, weight, out):
    """Add weight * phi_qq to out (n, n)."""
    i, j, a = index[0], index[1], index[2]
    s, c = weight * sin(q[a]), weight * cos(q[a])
    for point, sign in ((i, 1.0), (j, -1.0)):
        out[point, a] += sign * c
        out[a, point] += sign * c
        out[point + 1, a] += sign * s
        out[a, point + 1] += sign * s
    out[a, a] -= (q[j + 1] - q[i + 1]) * c - (q[j] - q[i]) * s


@kernel
def factors(index, value, q):
    """Return sine and cosine of the angle."""
    return sin(q[index[2]]), cos(q[index[2]])


@kernel
def bilinear(i, j, a, k, p, s, c, q, v, w):
    """Return v^T phi_qq w."""
    outside = (q[j + 1] - q[i + 1]) * c - (q[j] - q[i]) * s
    along_v = (v[j] - v[i]) * c + (v[j + 1] - v[i + 1]) * s
    along_w = (w[j] - w[i]) * c + (w[j + 1] - w[i + 1]) * s
    return -along_w * v[a] - along_v * w[a] - outside * v[a] * w[a]


@kernel
def trilinear(i, j, a, k, p, s, c, q, u, v, w):
    """Return the third derivative along u, v and w."""
    along = (q[j] - q[i]) * c + (q[j + 1] - q[i + 1]) * s
    outside_u = (u[j + 1] - u[i + 1]) * c - (u[j] - u[i]) * s
    outside_v = (v[j + 1] - v[i + 1]) * c - (v[j] - v[i]) * s
    outside_w = (w[j + 1] - w[i + 1]) * c - (w[j] - w[i]) * s
    return (along * u[a] * v[a] * w[a] - outside_u * v[a] * w[a] - outside_v * w[a] * u[a]
            - outside_w * u[a] * v[a])


@kernel
def in_turn_of(angle, old):
    """Return the angle in the turn next to an old value."""
    return angle + 2.0 * pi * round((old - angle) / (2.0 * pi))


@kernel
def coordinate(index, value, q, old):
    """Return the angle of the line from i to j."""
    i, j = index[0], index[1]
    return in_turn_of(atan2(q[j + 1] - q[i + 1], q[j] - q[i]), old)


EQUATION = EquationKind('absolute_angle', evaluate, second, third, curvature, factors, bilinear,
                        trilinear, coordinate)


def _read(entries: Any, path: str, name: str, value: dict[str, Any], points: Mapping[str, Any],
          bodies: Mapping[str, Any]) -> Coordinate:
    body = entries.one_of(f'{path}.body', value['body'], bodies, 'body')
    return Coordinate(name, 'angle', 'rad', bodies=(body,))


def _equation(layout: Any, angle: Coordinate) -> Equation:
    return Equation('absolute_angle', (*layout.axis(angle.body), layout.index(angle.name)), (), 1,
                    1.0, f'coordinates.{angle.name}', 2 * angle.bodies)


_OF_BODY = RelationKind('angle', {
    'description': "Absolute angle of a body's x axis [rad].",
    'required': ['body'],
    'properties': {'body': {'$ref': '#/$defs/reference', 'description': 'The body.'}} | SHARED,
}, _read, _equation)


def _read_line(entries: Any, path: str, name: str, value: dict[str, Any], points: Mapping[str, Any],
               bodies: Mapping[str, Any]) -> Coordinate:
    ends = entries.names(f'{path}.points', value['points'], points, 'point')
    if all(points[end].fixed for end in ends):
        entries.fail(f'{path}.points', f'{ends[0]} and {ends[1]} are both fixed')
    if points[ends[0]].position == points[ends[1]].position:
        entries.fail(f'{path}.points', f'{ends[0]} and {ends[1]} start at the same position')
    return Coordinate(name, 'line_angle', 'rad', points=ends)


def _line_equation(layout: Any, angle: Coordinate) -> Equation:
    i, j = (layout.points[name] for name in angle.points)
    return Equation('absolute_angle', (i, j, layout.index(angle.name)), (), 1, 1.0,
                    f'coordinates.{angle.name}', (None, None))


_OF_LINE = RelationKind('line_angle', {
    'description': 'Angle of the line from a point to another [rad].',
    'required': ['points'],
    'properties': {'points': {'$ref': '#/$defs/two_names',
                              'description': 'From this point, to this one.'}} | SHARED,
}, _read_line, _line_equation)

COORDINATES = _OF_BODY, _OF_LINE
