"""An angle that follows the line between two points, measured from the global x axis."""

from math import cos, sin

from numba import njit


@njit(cache=True)
def evaluate(q, i, j, a, phi, phi_q, row):
    """Point j lies on the ray from point i at the angle q[a]: what sticks out of it is 0 [m].

        -(x_j - x_i) sin a + (y_j - y_i) cos a = 0

    The one smooth combination of the two equations of Blanco-Claraco et al. 2021, Appendix III
    (x_j - x_i = L cos a, y_j - y_i = L sin a), which are used by turns there: a switch between
    them makes the multiplier jump in the middle of a motion.  Its derivative in a is -L wherever
    it holds, so it never degenerates.  Of its two solutions, a and a + pi, the position problem
    keeps the one it started on (the sign of the determinant differs).
    """
    s, c = sin(q[a]), cos(q[a])
    dx = q[j] - q[i]
    dy = q[j + 1] - q[i + 1]
    phi[row] = dy * c - dx * s
    phi_q[row, i], phi_q[row, i + 1] = s, -c
    phi_q[row, j], phi_q[row, j + 1] = -s, c
    phi_q[row, a] = -(dx * c + dy * s)


@njit(cache=True)
def second(q, i, j, a, v, out, row):
    """Write phi_qq v into out[row, :]."""
    s, c = sin(q[a]), cos(q[a])
    va = v[a]
    out[row, i], out[row, i + 1] = c * va, s * va
    out[row, j], out[row, j + 1] = -c * va, -s * va
    outside = (q[j + 1] - q[i + 1]) * c - (q[j] - q[i]) * s
    out[row, a] = -c * (v[j] - v[i]) - s * (v[j + 1] - v[i + 1]) - outside * va


@njit(cache=True)
def third(q, i, j, a, v, w, out, row):
    """Write (phi_qq v)_q w into out[row, :]; symmetric in v and w."""
    s, c = sin(q[a]), cos(q[a])
    product = v[a] * w[a]
    out[row, i], out[row, i + 1] = -s * product, c * product
    out[row, j], out[row, j + 1] = s * product, -c * product
    along = (q[j] - q[i]) * c + (q[j + 1] - q[i + 1]) * s
    across_v = (v[j] - v[i]) * s - (v[j + 1] - v[i + 1]) * c
    across_w = (w[j] - w[i]) * s - (w[j + 1] - w[i + 1]) * c
    out[row, a] = across_v * w[a] + across_w * v[a] + along * product


@njit(cache=True)
def curvature(q, i, j, a, weight, out):
    """Add weight * phi_qq to out (n, n)."""
    s, c = weight * sin(q[a]), weight * cos(q[a])
    for point, sign in ((i, 1.0), (j, -1.0)):
        out[point, a] += sign * c
        out[a, point] += sign * c
        out[point + 1, a] += sign * s
        out[a, point + 1] += sign * s
    out[a, a] -= (q[j + 1] - q[i + 1]) * c - (q[j] - q[i]) * s


@njit(cache=True)
def bilinear(q, i, j, a, s, c, v, w):
    """Return v^T phi_qq w; s, c: sine and cosine of q[a]."""
    outside = (q[j + 1] - q[i + 1]) * c - (q[j] - q[i]) * s
    along_v = (v[j] - v[i]) * c + (v[j + 1] - v[i + 1]) * s
    along_w = (w[j] - w[i]) * c + (w[j + 1] - w[i + 1]) * s
    return -along_w * v[a] - along_v * w[a] - outside * v[a] * w[a]


@njit(cache=True)
def trilinear(q, i, j, a, s, c, u, v, w):
    """Return the third derivative along u, v and w."""
    along = (q[j] - q[i]) * c + (q[j + 1] - q[i + 1]) * s
    outside_u = (u[j + 1] - u[i + 1]) * c - (u[j] - u[i]) * s
    outside_v = (v[j + 1] - v[i + 1]) * c - (v[j] - v[i]) * s
    outside_w = (w[j + 1] - w[i + 1]) * c - (w[j] - w[i]) * s
    return (along * u[a] * v[a] * w[a] - outside_u * v[a] * w[a] - outside_v * w[a] * u[a]
            - outside_w * u[a] * v[a])
