"""Errors of orientations: rotation vectors, carried over to a reference that has moved.

Filters add and subtract the coordinates s of kernels.charts as all others.  At the reference, an
error e of s is a rotation vector in the body's frame, an error r of its rate that one's rate.
After a step or a correction the reference moves to the body, turned by T from it, where

    e' = D e,    r' = D r + N e,    D = J^-1,    N = -D (J w^ / 2 - w s^T - (T^T w)^ / 2) D

are the errors.  w is the angular velocity in the body's frame, J w the rate of s with
J = (tr(T) I - T^T) / 2, v^ u = v x u, and T = c I + s^ + s s^T / (1 + c) for the cosine c.
In its own body's frame, which errs too, the angular velocity errs by r + w x e / 2, the angular
acceleration a by its error + (a x e + w (w . e) + |w|^2 e) / 2.
"""

from math import sqrt

import numpy as np

from mb_model.jit import entry, kernel
from mb_model.kernels.charts import follow_reference
from mb_model.kernels.step_state import take_independent

D, N, _SPIN, _PRODUCT = 0, 1, 2, 3      # matrices of a change of reference, and scratch


def new_changes(model: np.ndarray) -> np.ndarray:
    """Return an array (charts, 4, 3, 3) for changes of all references."""
    return np.zeros((int(model['charts'][0]), 4, 3, 3))


@kernel
def multiply(a, b, out):
    """Write out = a b (3, 3)."""
    for i in range(3):
        for j in range(3):
            out[i, j] = a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + a[i, 2] * b[2, j]


@kernel
def _crossed(v):
    """Return the rows of v^."""
    return (0.0, -v[2], v[1]), (v[2], 0.0, -v[0]), (-v[1], v[0], 0.0)


@kernel
def write_change(s, w, change):
    """Write D and N to change (4, 3, 3), for the coordinates s and the angular velocity w (3)."""
    square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2]
    along = s[0] * w[0] + s[1] * w[1] + s[2] * w[2]
    cosine = sqrt(max(1.0 - square, 0.0))
    share = 1.0 / (1.0 + cosine)
    s_cross, w_cross = _crossed(s), _crossed(w)
    back = (cosine * w[0] - s[1] * w[2] + s[2] * w[1] + share * along * s[0],         # T^T w
            cosine * w[1] - s[2] * w[0] + s[0] * w[2] + share * along * s[1],
            cosine * w[2] - s[0] * w[1] + s[1] * w[0] + share * along * s[2])
    back_cross = _crossed(back)
    d, n, spin, product = change[D], change[N], change[_SPIN], change[_PRODUCT]
    for i in range(3):
        for j in range(3):
            unit = 1.0 if i == j else 0.0
            outer = share * s[i] * s[j]
            d[i, j] = unit - share * s_cross[i][j] + outer / cosine
            n[i, j] = 0.5 * ((1.0 + cosine) * unit + s_cross[i][j] - outer)           # J
            spin[i, j] = 0.5 * w_cross[i][j]
    multiply(n, spin, product)
    for i in range(3):
        for j in range(3):
            product[i, j] -= w[i] * s[j] + 0.5 * back_cross[i][j]
    multiply(product, d, spin)
    multiply(d, spin, n)
    for i in range(3):
        for j in range(3):
            n[i, j] = -n[i, j]


@entry
def centre_references(models, works, changes):
    """Move the references of all orientations to their bodies; write how errors are carried over.

    Their z become 0, zd and zdd the angular velocity and acceleration in the bodies' frames.
    changes: of new_changes.  Returns False, and writes nothing, if all were there already.
    """
    model, work, moved = models[0], works[0], False
    for k in range(model.charts):
        indices = model.chart_coordinate[k]
        moved = moved or work.q[indices[0]] != 0.0 or work.q[indices[1]] != 0.0 or (
            work.q[indices[2]] != 0.0)
    if not moved:
        return False
    for k in range(model.charts):
        indices = model.chart_coordinate[k]
        s = work.q[indices[0]], work.q[indices[1]], work.q[indices[2]]
        follow_reference(model, work, k)
        w = work.qd[indices[0]], work.qd[indices[1]], work.qd[indices[2]]
        write_change(s, w, changes[k])
    take_independent(model, work)
    return True


@kernel
def _turn_rows(d, chart, first, rows, columns):
    """Multiply three rows, `first` behind the rows of a chart, by d (3, 3)."""
    a, b, c = first + chart[0], first + chart[1], first + chart[2]
    for j in range(columns):
        x, y, z = rows[a, j], rows[b, j], rows[c, j]
        rows[a, j] = d[0, 0] * x + d[0, 1] * y + d[0, 2] * z
        rows[b, j] = d[1, 0] * x + d[1, 1] * y + d[1, 2] * z
        rows[c, j] = d[2, 0] * x + d[2, 1] * y + d[2, 2] * z


@kernel
def carry_vectors(changes, indices, first, rows, columns):
    """Carry rows of vectors, `first` behind `indices`, over to other references.

    indices (charts, 3): of orientations, -1 for one that is not there.
    """
    for k in range(indices.shape[0]):
        if indices[k, 0] >= 0:
            _turn_rows(changes[k, D], indices[k], first, rows, columns)


@kernel
def carry_errors(changes, indices, rates, rows, columns):
    """Carry rows of a matrix, of errors of all states, over to other references.

    indices: as in carry_vectors; rates: how many rows behind are the rates.
    """
    for k in range(indices.shape[0]):
        chart, n = indices[k], changes[k, N]
        if chart[0] < 0:
            continue
        _turn_rows(changes[k, D], chart, rates, rows, columns)
        for j in range(columns):
            x, y, z = rows[chart[0], j], rows[chart[1], j], rows[chart[2], j]
            for i in range(3):
                rows[rates + chart[i], j] += n[i, 0] * x + n[i, 1] * y + n[i, 2] * z
        _turn_rows(changes[k, D], chart, 0, rows, columns)
