"""Two motions of one mechanism side by side: the same forces, and how far they are apart."""

from math import inf

import numpy as np

from mb_model.jit import entry, kernel

DIFFERENCE = np.dtype([
    ('largest', np.float64), ('largest_t', np.float64), ('largest_row', np.int64),
    ('growth', np.float64), ('growth_t', np.float64), ('growth_row', np.int64),
])


@entry
def gather(models, works, impulses, h):
    """Add what forces on degrees of freedom and coordinates bring in a step to impulses (2, n)."""
    model, work = models[0], works[0]
    for k in range(model.g):
        impulses[0, k] += h * work.forces[k]
    for row in range(model.n):
        impulses[1, row] += h * work.coordinate_forces[row]


@entry
def push(models, impulses, twins, h):
    """Let the forces that bring such impulses in a step act on a twin; clear the impulses."""
    model, twin = models[0], twins[0]
    for k in range(model.g):
        twin.forces[k], impulses[0, k] = impulses[0, k] / h, 0.0
    for row in range(model.n):
        twin.coordinate_forces[row], impulses[1, row] = impulses[1, row] / h, 0.0


@kernel
def _is_of_chart(model, row):
    """Return whether a coordinate is one of an orientation."""
    for k in range(model.charts):
        for axis in range(3):
            if model.chart_coordinate[k, axis] == row:
                return True
    return False


@entry
def compare(models, works, twins, begin, last, differences, share, per_step):
    """Write last = begin + share (q - q of the twin) (n); note what is larger than ever before.

    In differences[0]: largest of |last| in radians and sizes of the mechanism, growth of per_step
    times its change since the comparison before; what is not finite counts as infinite.
    Orientations count from references of each motion's own: the axes of their bodies are compared.
    """
    model, work, twin, difference = models[0], works[0], twins[0], differences[0]
    for row in range(model.n):
        if _is_of_chart(model, row):
            continue
        now = begin[row] + share * (work.q[row] - twin.q[row])
        size = abs(now) / model.scale[row]
        growth = per_step * abs(now - last[row]) / model.scale[row]
        last[row] = now
        if not size <= difference.largest:
            difference.largest = size if size < inf else inf
            difference.largest_t, difference.largest_row = work.t, row
        if not growth <= difference.growth:
            difference.growth = growth if growth < inf else inf
            difference.growth_t, difference.growth_row = work.t, row
