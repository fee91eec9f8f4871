"""Prior factor of a desired motion: degrees of freedom near given values."""

from mb_model.jit import entry


@entry
def desired(model, a, q, value, e, J_a, row):
    """Error q[independent] - value (g); q: its place in the node.

    Source: Blanco-Claraco et al. 2021, Eq. (21), Sec. 5.3.
    """
    for k in range(model.g):
        coordinate = q + model.independent[k]
        e[row + k] = a[coordinate] - value[k]
        J_a[row + k, coordinate] = 1.0
