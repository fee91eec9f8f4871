"""Transition matrices f_x of filters that know how the accelerations depend on the state."""

from numba import njit


@njit(cache=True)
def exact_transition(f, A, B, g, h):
    """Write f.transition over a step h [s] from A = dzdd/dz and B = dzdd/dzd.

    States z, zd: [I + h^2/2 A, hI + h^2/2 B; hA, I + hB], Rodriguez et al. 2023, Eq. (77).  With
    acceleration errors, which stay: a third column [h^2/2 I; hI; I], Eq. (79).
    """
    F, half = f.transition, 0.5 * h * h
    for i in range(f.states):
        for j in range(f.states):
            F[i, j] = 1.0 if i == j else 0.0
    for i in range(g):
        for j in range(g):
            F[i, j] += half * A[i, j]
            F[i, g + j] = half * B[i, j]
            F[g + i, j] = h * A[i, j]
            F[g + i, g + j] += h * B[i, j]
        F[i, g + i] += h
        if f.states == 3 * g:
            F[i, 2 * g + i] = half
            F[g + i, 2 * g + i] = h
