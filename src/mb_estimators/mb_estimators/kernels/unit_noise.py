"""The transition between two readings, and the covariance of a unit of each noise on it."""

from mb_estimators.kernels.transition_rows import move_covariances, note_entries, write_product
from mb_model.jit import entry


@entry
def note_step(F, h, degrees, moved, units, columns, product):
    """Lead a transition `moved` (l, l) and covariances units (d, l, l) on by a step F of h [s].

    To these the step adds white noise of unit density: of the accelerations of each of the degrees
    of freedom, whose errors and rates are the first states (Rodriguez et al. 2023, Eq. (107)), then
    of walks of biases, which are the next states.  Scratch: columns (l, l + 1), product (l, l).
    """
    size, g = F.shape[0], degrees
    note_entries(F, columns)
    write_product(F, columns, moved, size, product)
    for i in range(size):
        for j in range(size):
            moved[i, j] = product[i, j]
    for d in range(units.shape[0]):
        move_covariances(F, columns, units[d], 1, product)
        if d < g:
            units[d, d, d] += h ** 3 / 3.0
            units[d, d, g + d] += h ** 2 / 2.0
            units[d, g + d, d] += h ** 2 / 2.0
            units[d, g + d, g + d] += h
        else:
            units[d, g + d, g + d] += h
