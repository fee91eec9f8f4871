"""A coordinate that is the distance between two points: a cylinder's or a spring's length.

index: i, j, p.
"""

from collections.abc import Mapping
from math import hypot
from typing import Any

from mb_model.constraints.coordinate_keys import SCHEMA as SHARED
from mb_model.constraints.equation import Equation, EquationKind
from mb_model.constraints.kinds import constant_distance
from mb_model.constraints.relation import Coordinate, RelationKind
from mb_model.jit import kernel

_SHORTEST = 1e-3     # length at the start, in sizes of the mechanism, that its slope is judged by

_squared, _second = constant_distance.squared_distance, constant_distance.second
_curvature, _bilinear = constant_distance.curvature, constant_distance.bilinear


@kernel
def evaluate(index, value, q, phi, phi_q, row):
    """|r_j - r_i|^2 - q[p]^2 = 0 [m^2]; of its two solutions the positive one is meant."""
    p = index[2]
    phi[row] = _squared(index[0], index[1], q, phi_q, row) - q[p] * q[p]
    phi_q[row, p] = -2.0 * q[p]


@kernel
def second(index, value, q, v, out, row):
    """Write phi_qq v into out[row, :]; phi_qq is constant, so the third derivative is zero."""
    _second(index, value, q, v, out, row)
    out[row, index[2]] = -2.0 * v[index[2]]


@kernel
def curvature(index, value, q, weight, out):
    """Add weight * phi_qq to out (n, n)."""
    _curvature(index, value, q, weight, out)
    out[index[2], index[2]] -= 2.0 * weight


@kernel
def bilinear(i, j, k, l, p, s, c, q, v, w):                              # noqa: E741
    """Return v^T phi_qq w."""
    return _bilinear(i, j, k, l, p, s, c, q, v, w) - 2.0 * v[k] * w[k]


@kernel
def coordinate(index, value, q, old):
    """Return the distance."""
    i, j = index[0], index[1]
    return hypot(q[j] - q[i], q[j + 1] - q[i + 1])


EQUATION = EquationKind('variable_distance', evaluate, second, curvature=curvature,
                        bilinear=bilinear, coordinate=coordinate)


def _read(entries: Any, path: str, name: str, value: dict[str, Any], points: Mapping[str, Any],
          bodies: Mapping[str, Any]) -> Coordinate:
    ends = entries.names(f'{path}.points', value['points'], points, 'point')
    if all(points[end].fixed for end in ends):
        entries.fail(f'{path}.points', f'{ends[0]} and {ends[1]} are both fixed')
    return Coordinate(name, 'distance', 'm', points=ends)


def _equation(layout: Any, distance: Coordinate) -> Equation:
    i, j = (layout.points[name] for name in distance.points)
    slope = 2.0 * max(layout.start_distance(*distance.points), _SHORTEST * layout.size)
    return Equation('variable_distance', (i, j, layout.index(distance.name)), (), 1, slope,
                    f'coordinates.{distance.name}', (None, None))


COORDINATE = RelationKind('distance', {
    'description': 'Distance between two points, such as the length of a cylinder or a spring [m].',
    'required': ['points'],
    'properties': {
        'points': {'$ref': '#/$defs/two_names', 'description': 'The points.'}} | SHARED,
}, _read, _equation)
