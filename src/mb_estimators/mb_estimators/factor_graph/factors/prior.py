"""Prior factor: variables near a given value."""

from mb_model.jit import entry


@entry
def prior(a, x, value, size, e, J_a, row):
    """Error x_a - value.  Source: Blanco-Claraco et al. 2021, Eq. (21)."""
    for i in range(size):
        e[row + i] = a[x + i] - value[i]
        J_a[row + i, x + i] = 1.0
