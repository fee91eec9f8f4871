"""Two points at a constant distance: a rigid link."""

from numba import njit


@njit(cache=True)
def evaluate(q, i, j, length, phi, phi_q, row):
    """Rigid link between points i and j: |r_j - r_i|^2 - length^2 = 0 [m^2].

    Writes phi[row] and phi_q[row, :].  Source: Blanco-Claraco et al. 2021, Eq. (43).
    """
    dx = q[j] - q[i]
    dy = q[j + 1] - q[i + 1]
    phi[row] = dx * dx + dy * dy - length * length
    phi_q[row, i], phi_q[row, i + 1] = -2.0 * dx, -2.0 * dy
    phi_q[row, j], phi_q[row, j + 1] = 2.0 * dx, 2.0 * dy


@njit(cache=True)
def second(i, j, v, out, row):
    """Write phi_qq v into out[row, :]; phi_qq is constant, so the third derivative is zero."""
    dx = 2.0 * (v[j] - v[i])
    dy = 2.0 * (v[j + 1] - v[i + 1])
    out[row, i], out[row, i + 1] = -dx, -dy
    out[row, j], out[row, j + 1] = dx, dy


@njit(cache=True)
def curvature(i, j, weight, out):
    """Add weight * phi_qq to out (n, n)."""
    w = 2.0 * weight
    for axis in range(2):
        a, b = i + axis, j + axis
        out[a, a] += w
        out[b, b] += w
        out[a, b] -= w
        out[b, a] -= w


@njit(cache=True)
def bilinear(i, j, v, w):
    """Return v^T phi_qq w."""
    return 2.0 * ((v[j] - v[i]) * (w[j] - w[i]) + (v[j + 1] - v[i + 1]) * (w[j + 1] - w[i + 1]))
