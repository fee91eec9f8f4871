"""Two points at a constant distance: a rigid link.

index: i, j; value: length.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.constraints.equation import Equation, EquationKind
from mb_model.jit import kernel

_NEAREST = 1e-12      # share of its length that two points may be closer to each other in messages


@kernel
def evaluate(index, value, q, phi, phi_q, row):
    """Rigid link between points i and j: |r_j - r_i|^2 - length^2 = 0 [m^2].

    Writes phi[row] and phi_q[row, :].  Source: Blanco-Claraco et al. 2021, Eq. (43).
    """
    phi[row] = squared_distance(index[0], index[1], q, phi_q, row) - value[0] * value[0]


@kernel
def squared_distance(i, j, q, phi_q, row):
    """Return |r_j - r_i|^2; write its derivative to phi_q[row, :]."""
    dx = q[j] - q[i]
    dy = q[j + 1] - q[i + 1]
    phi_q[row, i], phi_q[row, i + 1] = -2.0 * dx, -2.0 * dy
    phi_q[row, j], phi_q[row, j + 1] = 2.0 * dx, 2.0 * dy
    return dx * dx + dy * dy


@kernel
def second(index, value, q, v, out, row):
    """Write phi_qq v into out[row, :]; phi_qq is constant, so the third derivative is zero."""
    i, j = index[0], index[1]
    dx = 2.0 * (v[j] - v[i])
    dy = 2.0 * (v[j + 1] - v[i + 1])
    out[row, i], out[row, i + 1] = -dx, -dy
    out[row, j], out[row, j + 1] = dx, dy


@kernel
def curvature(index, value, q, weight, out):
    """Add weight * phi_qq to out (n, n)."""
    w = 2.0 * weight
    for axis in range(2):
        a, b = index[0] + axis, index[1] + axis
        out[a, a] += w
        out[b, b] += w
        out[a, b] -= w
        out[b, a] -= w


@kernel
def bilinear(i, j, k, l, p, s, c, q, v, w):                              # noqa: E741
    """Return v^T phi_qq w."""
    return 2.0 * ((v[j] - v[i]) * (w[j] - w[i]) + (v[j + 1] - v[i + 1]) * (w[j + 1] - w[i + 1]))


@kernel
def resize(value, length, span):
    """Write the length of the body, if it belongs to one."""
    if length > 0.0:
        value[0] = length


@kernel
def resize_change(value, change, length, stretch, span_change):
    """Write the change of the length."""
    change[0] = stretch


@kernel
def add_value_change(index, value, change, q, factor, out, row):
    """Add factor * phi_p to out."""
    out[row] -= factor * (2.0 * value[0] * change[0])


def in_metres(phi: FloatArray, value: Sequence[float],
              slope: float) -> tuple[FloatArray, FloatArray]:
    """Return how much too long it is (1) [m], and the slope of phi there (1)."""
    length = value[0]
    distance = np.sqrt(np.maximum(phi + length * length, (_NEAREST * length) ** 2))
    return distance - length, 2.0 * distance


EQUATION = EquationKind(
    'constant_distance', evaluate, second, curvature=curvature, bilinear=bilinear, resize=resize,
    resize_change=resize_change, add_value_change=add_value_change, in_metres=in_metres)


def between_first_points(body: Any, layout: Any) -> Equation:
    """Return the Equation that holds the first two points of a body apart."""
    first, second_point, *_ = body.points
    return Equation('constant_distance', layout.axis(body.name), (body.length,), 1,
                    2.0 * body.length, f'bodies.{body.name} between {first} and {second_point}',
                    2 * (body.name,), inner=True)
