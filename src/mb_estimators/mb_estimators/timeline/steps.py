"""Predictions over times of any length."""

from functools import lru_cache
from math import ceil

from mb_sensors import NANOSECONDS

_SAME_STEP = 1e-3       # part of a step by which stamps may stray without an extra step


@lru_cache(maxsize=64)      # the same gap comes again and again
def even_steps(gap, dt):
    """Return how many equal steps a gap [ns] > 0 takes, none longer than dt [s]; and their [s]."""
    count = max(1, ceil(gap / NANOSECONDS / dt - _SAME_STEP))
    return count, gap / NANOSECONDS / count


def predict_between(filter_, start, stop, dt, inputs):
    """Predict from start to stop [ns] under HeldInputs, in steps none longer than dt [s]."""
    for gap, held in inputs.between(start, stop):
        count, step = even_steps(gap, dt)
        for _ in range(count):
            filter_.predict(step, held)
