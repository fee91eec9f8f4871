"""A further point of a body, rigidly placed by the body's first two points."""

from numba import njit


@njit(cache=True)
def evaluate(q, i, j, k, along, across, phi, phi_q, row):
    """Point k sits at a fixed place of the body on points i and j; two equations [m].

        r_k - r_i - along (r_j - r_i) - across n = 0,   n = (r_j - r_i) turned by +90 degrees

    along and across are the point's local coordinates divided by the distance of i and j.
    Linear in the coordinates (natural coordinates: Garcia de Jalon and Bayo 1994, Sec. 2.2), so
    all higher derivatives are zero.
    """
    dx = q[j] - q[i]
    dy = q[j + 1] - q[i + 1]
    phi[row] = q[k] - q[i] - along * dx + across * dy
    phi[row + 1] = q[k + 1] - q[i + 1] - along * dy - across * dx
    phi_q[row, i], phi_q[row, i + 1] = along - 1.0, -across
    phi_q[row, j], phi_q[row, j + 1] = -along, across
    phi_q[row, k] = 1.0
    phi_q[row + 1, i], phi_q[row + 1, i + 1] = across, along - 1.0
    phi_q[row + 1, j], phi_q[row + 1, j + 1] = -across, -along
    phi_q[row + 1, k + 1] = 1.0
