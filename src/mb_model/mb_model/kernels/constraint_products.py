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
def bilinear_one(kind, index, value, q, v, w):
    """Return v^T phi_qq w of one constraint (zero for those of two equations, which are linear)."""
    i, j = index[0], index[1]
    if kind == CONSTANT_DISTANCE:
        return _distance(i, j, v, w)
    if kind == ABSOLUTE_ANGLE:
        return _angle(q, i, j, index[2], v, w)
    if kind == TWO_LINES:
        return _lines(index, value[0], value[1], v, w)
    if kind == RELATIVE_ANGLE:
        return _relative(q, index, v, w)
    if kind == VARIABLE_DISTANCE:
        return _variable(i, j, index[2], v, w)
    return 0.0


@njit(cache=True)
def trilinear_one(kind, index, q, u, v, w):
    """Return the third derivative of one constraint along u, v and w."""
    if kind == ABSOLUTE_ANGLE:
        return _angle_third(q, index[0], index[1], index[2], u, v, w)
    if kind == RELATIVE_ANGLE:
        return _relative_third(q, index, u, v, w)
    return 0.0


@separate(MODEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
def bilinear(model, q, v, w, out):
    """Write v^T phi_qq w (m); with v = w = qd this is phi_q_dot qd."""
    for row in range(model.m):
        out[row] = 0.0
    for k in range(model.constraints):
        out[model.constraint_row[k]] = bilinear_one(
            model.constraint_kind[k], model.constraint_index[k], model.constraint_value[k], q, v, w)


@separate(MODEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
def add_trilinear(model, q, u, v, w, out):
    """Add the third derivatives along u, v and w to out (m)."""
    for k in range(model.constraints):
        out[model.constraint_row[k]] += trilinear_one(
            model.constraint_kind[k], model.constraint_index[k], q, u, v, w)
