"""Semi-recursive formulation of large mechanisms in space, without loops or with some."""

from numba import boolean

from mb_model.jit import Rare, kernel
from mb_model.kernels.balls import follow_balls
from mb_model.kernels.clustered import solve_clusters
from mb_model.kernels.clusters import choose_joints, close_loops, spread_rates
from mb_model.kernels.semi_recursive import (
    begin_anew,
    choose_open,
    is_finite,
    is_open,
    move_and_load,
    open_accelerations,
    write_accelerations,
)
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK

# Kernels of large mechanisms with loops.
CLUSTERED = Rare()


@CLUSTERED.separate(boolean, SPARSE_MODEL, SPARSE_WORK)
def _closed_accelerations(model, work):
    """Do what accelerations does, with loops."""
    if not close_loops(model, work):
        return False
    spread_rates(model, work)
    move_and_load(model, work)
    if not solve_clusters(model, work):
        return False
    write_accelerations(model, work)
    return is_finite(model, work)


@CLUSTERED.separate(boolean, SPARSE_MODEL, SPARSE_WORK)
def _choose_closed(model, work):
    """Do what choose does, with loops."""
    far = model.balls > 0 and follow_balls(model, work)
    return choose_joints(model, work) and (not far or begin_anew(
        model, work, _closed_accelerations(model, work)))


@kernel
def accelerations(model, work):
    """At s, sd, forces: close the loops; write sdd, q, qd, qdd, z, zd, zdd.

    Returns False where they cannot be found; work is not to be relied on then.
    """
    if is_open(model):
        return open_accelerations(model, work)
    return _closed_accelerations(model, work)


@kernel
def choose(model, work):
    """Choose the independent joint coordinates; turn the frames of ball joints that are far on.

    Returns False where that is not possible.
    """
    if is_open(model):
        return choose_open(model, work)
    return _choose_closed(model, work)
