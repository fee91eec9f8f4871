"""Positions at other degrees of freedom, near by or far away, on the same branch."""

from mb_model.jit import kernel
from mb_model.kernel_api import SOLVED, follow_position, solve_position

SMALL = 0.05              # move of a degree of freedom, in radians or sizes of the mechanism


@kernel
def follow_all_the_way(model, work):
    """Follow the position to work.z; return whether the mechanism closes up to there."""
    status, done = follow_position(model, work)
    return status == SOLVED and done == 1.0


@kernel
def solve_or_follow(model, work, move):
    """Bring a solved work.q to work.z; return whether there is such a position on its branch.

    move: the largest of a degree of freedom, in radians or sizes of the mechanism.  Small ones are
    solved for at once; larger ones, and ones that fail so, are followed.
    """
    if move < SMALL and solve_position(model, work) == SOLVED:
        return True
    return follow_all_the_way(model, work)
