"""Errors of accelerations of orientations, carried over to a reference that has moved.

As in kernels.chart_errors, whose T, J, D, N, w these are.  Along a motion, errors of s are carried
over by M = J' D, with the J' of the new reference.  By Leibniz's rule the errors e, r, b of s, its
rate and its acceleration are then

    e' = M e,    r' = M r + Md e,    b' = M b + 2 Md r + Mdd e,

where M = D, Md = N, and with V = w^ D / 2 - N, the angular acceleration a and U = a^ - w^ w^

    Mdd = (U / 2 - |w|^2 I) D - w^ V + 2 V J V - D Jdd D,
    Jdd = (tr(T (w^ w^ + a^)) I + U T^T) / 2.
"""

from math import sqrt

import numpy as np

from mb_model.jit import kernel
from mb_model.kernels.chart_errors import D, N, multiply

SECOND, _SPIN, _BACK, _U, _V, _A, _B = range(7)     # Mdd, and scratch


def new_second_changes(model: np.ndarray) -> np.ndarray:
    """Return an array (charts, 7, 3, 3) for changes of the accelerations of all orientations."""
    return np.zeros((int(model['charts'][0]), 7, 3, 3))


@kernel
def _write_crossed(v, out):
    """Write v^ to out (3, 3)."""
    out[0, 0] = out[1, 1] = out[2, 2] = 0.0
    out[0, 1], out[0, 2], out[1, 2] = -v[2], v[1], -v[0]
    out[1, 0], out[2, 0], out[2, 1] = v[2], -v[1], v[0]


@kernel
def write_second_change(s, w, a, change, second):
    """Write Mdd to second[SECOND], for a change (4, 3, 3) with D and N; s, w, a (3)."""
    d, n = change[D], change[N]
    out, spin, back, u, v, x, y = (second[SECOND], second[_SPIN], second[_BACK], second[_U],
                                   second[_V], second[_A], second[_B])
    square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    along = s[0] * w[0] + s[1] * w[1] + s[2] * w[2]
    cosine = sqrt(max(1.0 - s[0] * s[0] - s[1] * s[1] - s[2] * s[2], 0.0))
    share = 1.0 / (1.0 + cosine)
    trace = 1.0 + 2.0 * cosine
    turned = cosine * square + share * along * along - square * trace - 2.0 * (
        s[0] * a[0] + s[1] * a[1] + s[2] * a[2])
    _write_crossed(s, back)
    _write_crossed(a, u)
    _write_crossed(w, spin)
    for i in range(3):
        for j in range(3):
            unit = 1.0 if i == j else 0.0
            back[i, j] = cosine * unit - back[i, j] + share * s[i] * s[j]           # T^T
            u[i, j] += square * unit - w[i] * w[j]
    multiply(u, back, y)
    for i in range(3):
        for j in range(3):
            unit = 1.0 if i == j else 0.0
            y[i, j] = 0.5 * (turned * unit + y[i, j])                               # Jdd
            back[i, j] = 0.5 * (trace * unit - back[i, j])                          # J
            u[i, j] = 0.5 * u[i, j] - square * unit
    multiply(y, d, x)
    multiply(d, x, y)                                                              # D Jdd D
    multiply(u, d, out)
    multiply(spin, d, v)
    for i in range(3):
        for j in range(3):
            out[i, j] -= y[i, j]
            v[i, j] = 0.5 * v[i, j] - n[i, j]
    multiply(spin, v, x)
    multiply(back, v, y)
    multiply(v, y, u)
    for i in range(3):
        for j in range(3):
            out[i, j] += 2.0 * u[i, j] - x[i, j]


@kernel
def carry_accelerations(change, second, chart, g, rows, columns):
    """Carry rows of errors b of one orientation over, before carry_errors does so with e and r.

    chart (3): its indices in z; rows (3g or more, columns).
    """
    d, n, by_e = change[D], change[N], second[SECOND]
    for j in range(columns):
        x, y, z = (rows[2 * g + chart[0], j], rows[2 * g + chart[1], j], rows[2 * g + chart[2], j])
        for i in range(3):
            carried = d[i, 0] * x + d[i, 1] * y + d[i, 2] * z
            for k in range(3):
                carried += (2.0 * n[i, k] * rows[g + chart[k], j]
                            + by_e[i, k] * rows[chart[k], j])
            rows[2 * g + chart[i], j] = carried
