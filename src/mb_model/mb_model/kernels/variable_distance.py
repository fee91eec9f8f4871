"""A coordinate that is the distance between two points: a cylinder's or a spring's length."""

from numba import njit

from mb_model.kernels import constant_distance

_evaluate, _second = constant_distance.evaluate, constant_distance.second
_curvature, _bilinear = constant_distance.curvature, constant_distance.bilinear


@njit(cache=True)
def evaluate(q, i, j, p, phi, phi_q, row):
    """|r_j - r_i|^2 - q[p]^2 = 0 [m^2]; of its two solutions the positive one is meant."""
    _evaluate(q, i, j, q[p], phi, phi_q, row)
    phi_q[row, p] = -2.0 * q[p]


@njit(cache=True)
def second(i, j, p, v, out, row):
    """Write phi_qq v into out[row, :]; phi_qq is constant, so the third derivative is zero."""
    _second(i, j, v, out, row)
    out[row, p] = -2.0 * v[p]


@njit(cache=True)
def curvature(i, j, p, weight, out):
    """Add weight * phi_qq to out (n, n)."""
    _curvature(i, j, weight, out)
    out[p, p] -= 2.0 * weight


@njit(cache=True)
def bilinear(i, j, p, v, w):
    """Return v^T phi_qq w."""
    return _bilinear(i, j, v, w) - 2.0 * v[p] * w[p]
