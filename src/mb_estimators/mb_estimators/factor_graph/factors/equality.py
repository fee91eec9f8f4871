"""Soft equality factor: two nodes hardly differ; with the noise of a random walk: that walk."""

from mb_model.jit import entry


@entry
def equality(a, b, x, size, e, J_a, J_b, row):
    """Error x_b - x_a.  Source: Blanco-Claraco et al. 2021, Secs. 5.2, 7.2 (f_eq)."""
    for i in range(size):
        e[row + i] = b[x + i] - a[x + i]
        J_a[row + i, x + i], J_b[row + i, x + i] = -1.0, 1.0
