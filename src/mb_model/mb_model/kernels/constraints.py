"""All constraints of a model: phi(q) = 0 and its derivatives, row by row.

A kind of constraint is a file beside this one; here it gets its number and its line in the four
functions of one constraint, `evaluate_one` to `curvature_one`.  These write rows that are zero, and
touch only the coordinates that index addresses, whatever the arrays around are.  Elsewhere arrays
over coordinates have n_total entries (see mb_model.record).
"""

from numba import njit

from mb_model.kernels import (
    absolute_angle,
    constant_distance,
    prescribed,
    relative_angle,
    rigid_point,
    two_lines,
    variable_distance,
)
from mb_model.record import MODEL, WORK
from mb_model.separate import separate

_VECTOR, _MATRIX = WORK['q'], WORK['M']

CONSTANT_DISTANCE = 1     # index: i, j; value: length
ABSOLUTE_ANGLE = 2        # index: i, j, angle
RIGID_POINT = 3           # index: i, j, k; value: along, across, x, y
TWO_LINES = 4             # index: i, j, k, l, coordinate; value: sine, cosine, rate
RELATIVE_ANGLE = 5        # index: i, j, k, l, angle
VARIABLE_DISTANCE = 6     # index: i, j, distance
PRESCRIBED = 7            # index: coordinate, driven entry; see kernels.time

_distance, _distance_second = constant_distance.evaluate, constant_distance.second
_distance_curvature = constant_distance.curvature
_angle, _angle_second, _angle_third = (
    absolute_angle.evaluate, absolute_angle.second, absolute_angle.third)
_angle_curvature = absolute_angle.curvature
_rigid_point, _prescribed = rigid_point.evaluate, prescribed.evaluate
_lines, _lines_second, _lines_curvature = (
    two_lines.evaluate, two_lines.second, two_lines.curvature)
_relative, _relative_second, _relative_third = (
    relative_angle.evaluate, relative_angle.second, relative_angle.third)
_relative_curvature = relative_angle.curvature
_variable, _variable_second, _variable_curvature = (
    variable_distance.evaluate, variable_distance.second, variable_distance.curvature)


@njit(cache=True, inline='always')
def evaluate_one(kind, index, value, q, phi, phi_q, row):
    """Write phi and phi_q of one constraint from its first row on."""
    i, j = index[0], index[1]
    if kind == CONSTANT_DISTANCE:
        _distance(q, i, j, value[0], phi, phi_q, row)
    elif kind == ABSOLUTE_ANGLE:
        _angle(q, i, j, index[2], phi, phi_q, row)
    elif kind == RIGID_POINT:
        _rigid_point(q, i, j, index[2], value[0], value[1], phi, phi_q, row)
    elif kind == TWO_LINES:
        _lines(q, index, value[0], value[1], value[2], phi, phi_q, row)
    elif kind == RELATIVE_ANGLE:
        _relative(q, index, phi, phi_q, row)
    elif kind == VARIABLE_DISTANCE:
        _variable(q, i, j, index[2], phi, phi_q, row)
    elif kind == PRESCRIBED:
        _prescribed(q, i, j, phi, phi_q, row)


@njit(cache=True, inline='always')
def second_one(kind, index, value, q, v, out, row):
    """Write phi_qq v of one constraint."""
    i, j = index[0], index[1]
    if kind == CONSTANT_DISTANCE:
        _distance_second(i, j, v, out, row)
    elif kind == ABSOLUTE_ANGLE:
        _angle_second(q, i, j, index[2], v, out, row)
    elif kind == TWO_LINES:
        _lines_second(index, value[0], value[1], v, out, row)
    elif kind == RELATIVE_ANGLE:
        _relative_second(q, index, v, out, row)
    elif kind == VARIABLE_DISTANCE:
        _variable_second(i, j, index[2], v, out, row)


@njit(cache=True)
def third_one(kind, index, q, v, w, out, row):
    """Write (phi_qq v)_q w of one constraint."""
    if kind == ABSOLUTE_ANGLE:
        _angle_third(q, index[0], index[1], index[2], v, w, out, row)
    elif kind == RELATIVE_ANGLE:
        _relative_third(q, index, v, w, out, row)


@njit(cache=True)
def curvature_one(kind, index, value, q, weight, out):
    """Add weight * phi_qq of one constraint to out."""
    i, j = index[0], index[1]
    if kind == CONSTANT_DISTANCE:
        _distance_curvature(i, j, weight, out)
    elif kind == ABSOLUTE_ANGLE:
        _angle_curvature(q, i, j, index[2], weight, out)
    elif kind == TWO_LINES:
        _lines_curvature(index, value[0], value[1], weight, out)
    elif kind == RELATIVE_ANGLE:
        _relative_curvature(q, index, weight, out)
    elif kind == VARIABLE_DISTANCE:
        _variable_curvature(i, j, index[2], weight, out)


@njit(cache=True)
def _clear(matrix, rows, columns):
    """Write zeros to the leading part of a matrix."""
    for row in range(rows):
        for column in range(columns):
            matrix[row, column] = 0.0


@separate(MODEL, _VECTOR, _VECTOR, _MATRIX)
def evaluate(model, q, phi, phi_q):
    """Write phi (m) and phi_q (m, n_total) at q."""
    _clear(phi_q, model.m, model.n_total)
    for k in range(model.constraints):
        evaluate_one(model.constraint_kind[k], model.constraint_index[k],
                     model.constraint_value[k], q, phi, phi_q, model.constraint_row[k])


@separate(MODEL, _VECTOR, _VECTOR, _MATRIX)
def second(model, q, v, out):
    """Write phi_qq v (m, n_total); with v = qd this is phi_q_dot."""
    _clear(out, model.m, model.n_total)
    for k in range(model.constraints):
        second_one(model.constraint_kind[k], model.constraint_index[k],
                   model.constraint_value[k], q, v, out, model.constraint_row[k])


@separate(MODEL, _VECTOR, _VECTOR, _VECTOR, _MATRIX)
def third(model, q, v, w, out):
    """Write (phi_qq v)_q w (m, n_total), symmetric in v and w; v = w = qd: (phi_q_dot)_q qd."""
    _clear(out, model.m, model.n_total)
    for k in range(model.constraints):
        third_one(model.constraint_kind[k], model.constraint_index[k], q, v, w, out,
                  model.constraint_row[k])


@separate(MODEL, _VECTOR, _VECTOR, _MATRIX)
def curvature(model, q, weights, out):
    """Write sum_k weights[k] * phi_qq of equation k (n_total, n_total)."""
    _clear(out, model.n_total, model.n_total)
    for k in range(model.constraints):
        curvature_one(model.constraint_kind[k], model.constraint_index[k],
                      model.constraint_value[k], q, weights[model.constraint_row[k]], out)
