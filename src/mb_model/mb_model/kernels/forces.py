"""Generalized forces of a model, all but those on the degrees of freedom given from outside."""

from numba import njit

from mb_model.kernels.mass import add_gravity


@njit(cache=True)
def generalized_forces(model, q, qd, Q):
    """Write Q (n_total) at q, qd: gravity."""
    for row in range(model.n_total):
        Q[row] = 0.0
    add_gravity(model, Q)
