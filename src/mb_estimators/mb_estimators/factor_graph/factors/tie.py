"""Tie of dependent and independent variables in one node: lower rows of the f^i factors."""

from mb_model.jit import entry


@entry
def tie(model, a, q, z, e, J_a, row):
    """Error q[independent] - z (g), of positions, velocities or accelerations.

    q, z: their places in the node.  Source: Blanco-Claraco et al. 2021, Eqs. (30) to (32), lower
    rows.
    """
    for k in range(model.g):
        coordinate = q + model.independent[k]
        e[row + k] = a[coordinate] - a[z + k]
        J_a[row + k, coordinate], J_a[row + k, z + k] = 1.0, -1.0
