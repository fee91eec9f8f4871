"""Higher derivatives of the constraints along given directions: one number per equation.

What the matrices of kernels.constraints give multiplied, at the cost of the equations alone.
Directions v, w, ... and q have n_total entries.
"""

from numba import njit

from mb_model.kernels import (
    absolute_angle,
    constant_distance,
    relative_angle,
    two_lines,
    variable_distance,
)
from mb_model.kernels.constraints import (
    ABSOLUTE_ANGLE,
    CONSTANT_DISTANCE,
    RELATIVE_ANGLE,
    TWO_LINES,
    VARIABLE_DISTANCE,
)
from mb_model.record import MODEL, WORK
from mb_model.separate import separate

_VECTOR = WORK['q']

_distance, _variable, _lines = (
    constant_distance.bilinear, variable_distance.bilinear, two_lines.bilinear)
_angle, _angle_third = absolute_angle.bilinear, absolute_angle.trilinear
_relative, _relative_third = relative_angle.bilinear, relative_angle.trilinear


@njit(cache=True)
def bilinear_one(kind, i, j, k, l, p, sine, cosine, q, v, w):            # noqa: E741
    """Return v^T phi_qq w of one constraint (zero for those of two equations, which are linear).

    i ... p: its index, sine, cosine: its first two values, one by one: arrays would be slower.
    """
    if kind == CONSTANT_DISTANCE:
        return _distance(i, j, v, w)
    if kind == ABSOLUTE_ANGLE:
        return _angle(q, i, j, k, v, w)
    if kind == TWO_LINES:
        return _lines(i, j, k, l, sine, cosine, v, w)
    if kind == RELATIVE_ANGLE:
        return _relative(q, i, j, k, l, p, v, w)
    if kind == VARIABLE_DISTANCE:
        return _variable(i, j, k, v, w)
    return 0.0


@njit(cache=True)
def trilinear_one(kind, i, j, k, l, p, q, u, v, w):                      # noqa: E741
    """Return the third derivative of one constraint along u, v and w."""
    if kind == ABSOLUTE_ANGLE:
        return _angle_third(q, i, j, k, u, v, w)
    if kind == RELATIVE_ANGLE:
        return _relative_third(q, i, j, k, l, p, u, v, w)
    return 0.0


@separate(MODEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
def bilinear(model, q, v, w, out):
    """Write v^T phi_qq w (m); with v = w = qd this is phi_q_dot qd."""
    index, value = model.constraint_index, model.constraint_value
    for row in range(model.m):
        out[row] = 0.0
    for k in range(model.constraints):
        out[model.constraint_row[k]] = bilinear_one(
            model.constraint_kind[k], index[k, 0], index[k, 1], index[k, 2], index[k, 3],
            index[k, 4], value[k, 0], value[k, 1], q, v, w)


@separate(MODEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
def weighted_bilinear(model, q, v, w, weights):
    """Return the sum of v^T phi_qq w over the equations with weights (m)."""
    index, value, total = model.constraint_index, model.constraint_value, 0.0
    for k in range(model.constraints):
        total += weights[model.constraint_row[k]] * bilinear_one(
            model.constraint_kind[k], index[k, 0], index[k, 1], index[k, 2], index[k, 3],
            index[k, 4], value[k, 0], value[k, 1], q, v, w)
    return total


@separate(MODEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
def change_along(model, q, qd, qdd, e, out):
    """Write e^T (phi_qq qdd + (phi_q_dot)_q qd) (m): how both change with q along e."""
    index, value = model.constraint_index, model.constraint_value
    for row in range(model.m):
        out[row] = 0.0
    for k in range(model.constraints):
        kind = model.constraint_kind[k]
        i, j, a, b, p = index[k, 0], index[k, 1], index[k, 2], index[k, 3], index[k, 4]
        out[model.constraint_row[k]] = (
            bilinear_one(kind, i, j, a, b, p, value[k, 0], value[k, 1], q, qdd, e)
            + trilinear_one(kind, i, j, a, b, p, q, qd, qd, e))
