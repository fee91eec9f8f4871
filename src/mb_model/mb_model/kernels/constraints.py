"""All constraints of a model: phi(q) = 0 and its derivatives, row by row.

A kind of constraint is a file beside this one; here it gets its number and its place in the four
loops.  Arrays over coordinates have n_total entries (see mb_model.record).
"""

from numba import njit

from mb_model.kernels import (
    absolute_angle,
    constant_distance,
    relative_angle,
    rigid_point,
    two_lines,
    variable_distance,
)

CONSTANT_DISTANCE = 1     # index: i, j; value: length
ABSOLUTE_ANGLE = 2        # index: i, j, angle
RIGID_POINT = 3           # index: i, j, k; value: along, across
TWO_LINES = 4             # index: i, j, k, l, coordinate; value: sine, cosine, rate
RELATIVE_ANGLE = 5        # index: i, j, k, l, angle
VARIABLE_DISTANCE = 6     # index: i, j, distance

_distance, _distance_second = constant_distance.evaluate, constant_distance.second
_distance_curvature = constant_distance.curvature
_angle, _angle_second, _angle_third = (
    absolute_angle.evaluate, absolute_angle.second, absolute_angle.third)
_angle_curvature = absolute_angle.curvature
_rigid_point = rigid_point.evaluate
_lines, _lines_second, _lines_curvature = (
    two_lines.evaluate, two_lines.second, two_lines.curvature)
_relative, _relative_second, _relative_third = (
    relative_angle.evaluate, relative_angle.second, relative_angle.third)
_relative_curvature = relative_angle.curvature
_variable, _variable_second, _variable_curvature = (
    variable_distance.evaluate, variable_distance.second, variable_distance.curvature)


@njit(cache=True)
def evaluate(model, q, phi, phi_q):
    """Write phi (m) and phi_q (m, n_total) at q."""
    for row in range(model.m):
        for column in range(model.n_total):
            phi_q[row, column] = 0.0
    for k in range(model.constraints):
        kind, row = model.constraint_kind[k], model.constraint_row[k]
        i, j = model.constraint_index[k, 0], model.constraint_index[k, 1]
        a, b = model.constraint_value[k, 0], model.constraint_value[k, 1]
        if kind == CONSTANT_DISTANCE:
            _distance(q, i, j, a, phi, phi_q, row)
        elif kind == ABSOLUTE_ANGLE:
            _angle(q, i, j, model.constraint_index[k, 2], phi, phi_q, row)
        elif kind == RIGID_POINT:
            _rigid_point(q, i, j, model.constraint_index[k, 2], a, b, phi, phi_q, row)
        elif kind == TWO_LINES:
            _lines(q, model.constraint_index[k], a, b, model.constraint_value[k, 2], phi, phi_q,
                   row)
        elif kind == RELATIVE_ANGLE:
            _relative(q, model.constraint_index[k], phi, phi_q, row)
        elif kind == VARIABLE_DISTANCE:
            _variable(q, i, j, model.constraint_index[k, 2], phi, phi_q, row)


@njit(cache=True)
def second(model, q, v, out):
    """Write phi_qq v (m, n_total); with v = qd this is phi_q_dot."""
    for row in range(model.m):
        for column in range(model.n_total):
            out[row, column] = 0.0
    for k in range(model.constraints):
        kind, row = model.constraint_kind[k], model.constraint_row[k]
        i, j = model.constraint_index[k, 0], model.constraint_index[k, 1]
        if kind == CONSTANT_DISTANCE:
            _distance_second(i, j, v, out, row)
        elif kind == ABSOLUTE_ANGLE:
            _angle_second(q, i, j, model.constraint_index[k, 2], v, out, row)
        elif kind == TWO_LINES:
            _lines_second(model.constraint_index[k], model.constraint_value[k, 0],
                          model.constraint_value[k, 1], v, out, row)
        elif kind == RELATIVE_ANGLE:
            _relative_second(q, model.constraint_index[k], v, out, row)
        elif kind == VARIABLE_DISTANCE:
            _variable_second(i, j, model.constraint_index[k, 2], v, out, row)


@njit(cache=True)
def third(model, q, v, w, out):
    """Write (phi_qq v)_q w (m, n_total), symmetric in v and w; v = w = qd: (phi_q_dot)_q qd."""
    for row in range(model.m):
        for column in range(model.n_total):
            out[row, column] = 0.0
    for k in range(model.constraints):
        if model.constraint_kind[k] == ABSOLUTE_ANGLE:
            _angle_third(q, model.constraint_index[k, 0], model.constraint_index[k, 1],
                         model.constraint_index[k, 2], v, w, out, model.constraint_row[k])
        elif model.constraint_kind[k] == RELATIVE_ANGLE:
            _relative_third(q, model.constraint_index[k], v, w, out, model.constraint_row[k])


@njit(cache=True)
def curvature(model, q, weights, out):
    """Write sum_k weights[k] * phi_qq of equation k (n_total, n_total)."""
    for row in range(model.n_total):
        for column in range(model.n_total):
            out[row, column] = 0.0
    for k in range(model.constraints):
        kind, weight = model.constraint_kind[k], weights[model.constraint_row[k]]
        i, j = model.constraint_index[k, 0], model.constraint_index[k, 1]
        if kind == CONSTANT_DISTANCE:
            _distance_curvature(i, j, weight, out)
        elif kind == ABSOLUTE_ANGLE:
            _angle_curvature(q, i, j, model.constraint_index[k, 2], weight, out)
        elif kind == TWO_LINES:
            _lines_curvature(model.constraint_index[k], model.constraint_value[k, 0],
                             model.constraint_value[k, 1], weight, out)
        elif kind == RELATIVE_ANGLE:
            _relative_curvature(q, model.constraint_index[k], weight, out)
        elif kind == VARIABLE_DISTANCE:
            _variable_curvature(i, j, model.constraint_index[k, 2], weight, out)
