"""Orientations counted from references that are given, as of another instant."""

from math import sqrt

import numpy as np

from mb_model.jit import kernel
from mb_model.kernels.chart_errors import D, N, multiply, write_change
from mb_model.kernels.charts import columns, coordinates_from
from mb_model.kernels.step_state import take_independent

_A, _B = 2, 3           # matrices of a change that write_change has done with


def new_moves(model: np.ndarray) -> np.ndarray:
    """Return an array (2 charts, 4, 3, 3) for moves of all references, and scratch behind them."""
    return np.zeros((2 * int(model['charts'][0]), 4, 3, 3))


@kernel
def take_references(model, q, other):
    """Write the references of all charts in another array (n_total) to q."""
    for k in range(model.charts):
        for axis in range(3):
            coordinate = model.chart_node[k, axis]
            for i in range(coordinate, coordinate + 3):
                q[i] = other[i]


@kernel
def refer_to(model, work, q, moves):
    """Let orientations count from the references in q (n_total), at a position with velocities.

    Writes z and zd, and how errors e, r of these are carried over: e' = E e, r' = E r + F e with
    E = D'^-1 D, F = D'^-1 (N - N' E), D, N of kernels.chart_errors from the old reference to the
    body, D', N' from the new one.  E, F stand in moves (of new_moves) as D, N do in changes.
    """
    for k in range(model.charts):
        coordinate, move, other = model.chart_coordinate[k], moves[k], moves[model.charts + k]
        x, y, z = columns(model, k, work.q)
        dx, dy, dz = columns(model, k, work.qd)
        w = coordinates_from(x, y, z, dx, dy, dz)
        write_change((work.q[coordinate[0]], work.q[coordinate[1]], work.q[coordinate[2]]), w, move)
        x0, y0, z0 = _reference(model, k, q)
        s = coordinates_from(x0, y0, z0, x, y, z)
        rates = coordinates_from(x0, y0, z0, dx, dy, dz)
        write_change(s, w, other)
        _write_inverse(s, other[_A])
        multiply(other[_A], move[D], other[_B])
        multiply(other[N], other[_B], move[_A])
        for i in range(3):
            for j in range(3):
                move[_B, i, j] = move[N, i, j] - move[_A, i, j]
                move[D, i, j] = other[_B, i, j]
        multiply(other[_A], move[_B], move[N])
        for axis in range(3):
            work.q[coordinate[axis]], work.qd[coordinate[axis]] = s[axis], rates[axis]
    take_references(model, work.q, q)
    take_independent(model, work)


@kernel
def _reference(model, k, q):
    """Return the axes x0, y0, z0 of the reference of chart k in q (n_total)."""
    a, b, c = model.chart_node[k, 0], model.chart_node[k, 1], model.chart_node[k, 2]
    return ((q[a], q[a + 1], q[a + 2]), (q[b], q[b + 1], q[b + 2]), (q[c], q[c + 1], q[c + 2]))


@kernel
def _write_inverse(s, out):
    """Write D^-1 = (tr(T) I - T^T) / 2 for the coordinates s to out (3, 3)."""
    cosine = sqrt(max(1.0 - s[0] * s[0] - s[1] * s[1] - s[2] * s[2], 0.0))
    share = 0.5 / (1.0 + cosine)
    for i in range(3):
        for j in range(3):
            out[i, j] = (0.5 * (1.0 + cosine) if i == j else 0.0) - share * s[i] * s[j]
    out[0, 1] -= 0.5 * s[2]
    out[1, 0] += 0.5 * s[2]
    out[0, 2] += 0.5 * s[1]
    out[2, 0] -= 0.5 * s[1]
    out[1, 2] -= 0.5 * s[0]
    out[2, 1] += 0.5 * s[0]


@kernel
def derive_before(moves, indices, rates, jacobian, rows):
    """Make columns of derivatives by errors e', r' such by the errors e, r before refer_to.

    indices (charts, 3): of e in the columns, -1 for one that is not there; rates: how many columns
    behind are of r; rows: of the Jacobian.
    """
    for k in range(indices.shape[0]):
        chart, d, n = indices[k], moves[k, D], moves[k, N]
        if chart[0] < 0:
            continue
        a, b, c = chart[0], chart[1], chart[2]
        for row in range(rows):
            x, y, z = jacobian[row, a], jacobian[row, b], jacobian[row, c]
            u, v, w = jacobian[row, rates + a], jacobian[row, rates + b], jacobian[row, rates + c]
            for j in range(3):
                jacobian[row, chart[j]] = (
                    x * d[0, j] + y * d[1, j] + z * d[2, j]
                    + u * n[0, j] + v * n[1, j] + w * n[2, j])
                jacobian[row, rates + chart[j]] = u * d[0, j] + v * d[1, j] + w * d[2, j]
