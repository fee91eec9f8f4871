"""How far prescribed coordinates have moved since a position was solved."""

from mb_model.jit import kernel


@kernel
def driven_move(model, work, q):
    """Return how far q (n) is from where prescribed coordinates are at work.t.

    The largest, in radians or sizes of the mechanism.
    """
    largest = 0.0
    for k in range(model.driven):
        coordinate = model.driven_coordinate[k]
        change = work.q[model.n_total - model.driven + k] - q[coordinate]
        largest = max(largest, abs(change) / model.scale[coordinate])
    return largest
