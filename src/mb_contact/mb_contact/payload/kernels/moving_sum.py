"""Sums over the last rows of a ring, in a time independent of their number."""

from mb_model.jit import kernel


@kernel
def push(ring, row, place, full, total, fresh):
    """Put row (w) in a ring (length, w) at place; keep total (w), the sum over the ring.

    full: whether the ring has gone round, so that the old row at place leaves.  fresh (w): the sum
    since its last restart, which replaces total at the next restart, so that rounding does not add
    up.
    """
    last = place == ring.shape[0] - 1
    for i in range(row.size):
        if full:
            total[i] -= ring[place, i]
        total[i] += row[i]
        fresh[i] += row[i]
        ring[place, i] = row[i]
        if last:
            total[i], fresh[i] = fresh[i], 0.0


@kernel
def empty(f, sums):
    """Forget all rows of the rings of a mass filter, and their sums."""
    f.count = f.place = 0
    for k in range(sums.shape[0]):
        for i in range(sums.shape[1]):
            sums[k, i] = 0.0
