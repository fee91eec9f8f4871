"""Higher derivatives of the constraints along given directions: one number per equation.

What the matrices of kernels.constraints give multiplied, at the cost of the equations alone.
Directions v, w, ... and q have n_total entries.
"""

from math import cos, sin

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
def angle_of(kind, index, value, q):
    """Return sine and cosine of the angle in a constraint: a coordinate, or constant."""
    if kind == ABSOLUTE_ANGLE:
        return sin(q[index[2]]), cos(q[index[2]])
    if kind == RELATIVE_ANGLE:
        return sin(q[index[4]]), cos(q[index[4]])
    return value[0], value[1]


@njit(cache=True)
def bilinear_one(kind, i, j, k, l, p, s, c, q, v, w):                    # noqa: E741
    """Return v^T phi_qq w of one constraint (zero for those of two equations, which are linear).

    i ... p: its index, one by one: an array would be slower; s, c: from angle_of.
    """
    if kind == CONSTANT_DISTANCE:
        return _distance(i, j, v, w)
    if kind == ABSOLUTE_ANGLE:
        return _angle(q, i, j, k, s, c, v, w)
    if kind == TWO_LINES:
        return _lines(i, j, k, l, s, c, v, w)
    if kind == RELATIVE_ANGLE:
        return _relative(q, i, j, k, l, p, s, c, v, w)
    if kind == VARIABLE_DISTANCE:
        return _variable(i, j, k, v, w)
    return 0.0


@njit(cache=True)
def trilinear_one(kind, i, j, k, l, p, s, c, q, u, v, w):                # noqa: E741
    """Return the third derivative of one constraint along u, v and w."""
    if kind == ABSOLUTE_ANGLE:
        return _angle_third(q, i, j, k, s, c, u, v, w)
    if kind == RELATIVE_ANGLE:
        return _relative_third(q, i, j, k, l, p, s, c, u, v, w)
    return 0.0


@njit(cache=True)
def of_constraint(model, q, constraint):
    """Return kind, index, sine and cosine of a constraint, as bilinear_one takes them."""
    kind, index = model.constraint_kind[constraint], model.constraint_index[constraint]
    s, c = angle_of(kind, index, model.constraint_value[constraint], q)
    return kind, index[0], index[1], index[2], index[3], index[4], s, c


@separate(MODEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
def bilinear(model, q, v, w, out):
    """Write v^T phi_qq w (m); with v = w = qd this is phi_q_dot qd."""
    for row in range(model.m):
        out[row] = 0.0
    for constraint in range(model.constraints):
        kind, i, j, k, l, p, s, c = of_constraint(model, q, constraint)            # noqa: E741
        out[model.constraint_row[constraint]] = bilinear_one(
            kind, i, j, k, l, p, s, c, q, v, w)


@separate(MODEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
def weighted_bilinear(model, q, v, w, weights):
    """Return the sum of v^T phi_qq w over the equations with weights (m)."""
    total = 0.0
    for constraint in range(model.constraints):
        kind, i, j, k, l, p, s, c = of_constraint(model, q, constraint)            # noqa: E741
        total += weights[model.constraint_row[constraint]] * bilinear_one(
            kind, i, j, k, l, p, s, c, q, v, w)
    return total


@separate(MODEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
def change_along(model, q, qd, qdd, e, out):
    """Write e^T (phi_qq qdd + (phi_q_dot)_q qd) (m): how both change with q along e."""
    for row in range(model.m):
        out[row] = 0.0
    for constraint in range(model.constraints):
        kind, i, j, k, l, p, s, c = of_constraint(model, q, constraint)            # noqa: E741
        out[model.constraint_row[constraint]] = (
            bilinear_one(kind, i, j, k, l, p, s, c, q, qdd, e)
            + trilinear_one(kind, i, j, k, l, p, s, c, q, qd, qd, e))
