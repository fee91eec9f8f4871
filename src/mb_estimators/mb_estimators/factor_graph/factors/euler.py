"""Euler integrator factor: x follows its rate by the explicit Euler rule."""

from mb_model.jit import entry


@entry
def euler(a, b, x, rate, size, h, e, J_a, J_b, row):
    """Error x_b - x_a - h rate_a between the nodes a and b, h [s] apart.

    x, rate: places of both (size) in a node.  Source: Blanco-Claraco et al. 2021, Eq. (22).
    """
    for i in range(size):
        e[row + i] = b[x + i] - a[x + i] - h * a[rate + i]
        J_a[row + i, x + i], J_b[row + i, x + i] = -1.0, 1.0
        J_a[row + i, rate + i] = -h
