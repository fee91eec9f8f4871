"""Positions at other degrees of freedom, near by or far away, on the same branch."""

from mb_model.jit import kernel
from mb_model.kernels.position import SOLVED, follow_position, solve_position

SMALL = 0.05              # move of a degree of freedom, in radians or sizes of the mechanism


@kernel
def reach_position(model, work):
    """Bring a solved work.q to q[independent] = work.z, and to where others are prescribed.

    Small moves are solved for at once; larger ones, and ones that fail so, are followed.  Returns
    whether there is such a position on its branch; if not, work.q and work.z are where the way to
    it ends.
    """
    return ((_move(model, work) < SMALL and solve_position(model, work) == SOLVED)
            or follow_position(model, work)[0] == SOLVED)


@kernel
def _move(model, work):
    """Return the largest move of a coordinate, in radians or sizes of the mechanism."""
    largest = 0.0
    for k in range(model.g):
        coordinate = model.independent[k]
        largest = max(largest, abs(work.z[k] - work.q[coordinate]) / model.scale[coordinate])
    for k in range(model.driven):
        coordinate = model.driven_coordinate[k]
        change = work.q[model.n_total - model.driven + k] - work.q[coordinate]
        largest = max(largest, abs(change) / model.scale[coordinate])
    return largest
