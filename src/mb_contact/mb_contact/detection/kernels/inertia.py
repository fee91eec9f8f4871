"""The mass matrix of each body by itself."""

from numba import njit

from mb_model.kernels import mass

_add_body = mass.add_body


@njit(cache=True)
def body_inertias(models, out):
    """Write the mass matrices of the two points of every body, out (bodies, 4, 4), once zero."""
    for b in range(models[0].bodies):
        _add_body(models[0], b, 0, 2, out[b])
