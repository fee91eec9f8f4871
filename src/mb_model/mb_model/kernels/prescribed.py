"""A coordinate that follows a function of time."""

from numba import njit


@njit(cache=True)
def evaluate(q, p, s, phi, phi_q, row):
    """q[p] - q[s] = 0, where s is an entry driven by time (see kernels.time) [m or rad].

    Linear in the coordinates, so all higher derivatives are zero.
    """
    phi[row] = q[p] - q[s]
    phi_q[row, p] = 1.0
    phi_q[row, s] = -1.0
