"""Predictions over times of any length."""

from collections.abc import Iterator
from functools import lru_cache
from math import ceil

from mb_estimators.filter import Acting
from mb_estimators.timeline.inputs import HeldInputs
from mb_model.arrays import FloatArray
from mb_sensors import NANOSECONDS

_SAME_STEP = 1e-3       # part of a step by which stamps may stray without an extra step


@lru_cache(maxsize=64)      # the same gap comes again and again
def even_steps(gap, dt):
    """Return how many equal steps a gap [ns] > 0 takes, none longer than dt [s]; and their [s]."""
    count = max(1, ceil(gap / NANOSECONDS / dt - _SAME_STEP))
    return count, gap / NANOSECONDS / count


def steps_between(start: int, stop: int, dt: float, inputs: HeldInputs,
                  ) -> Iterator[tuple[float, FloatArray | None]]:
    """Yield (duration [s], mean inputs or None) of the steps from start to stop [ns].

    None is longer than dt [s], and none goes beyond a stamp of the inputs.
    """
    for gap, mean in inputs.between(start, stop):
        count, step = even_steps(gap, dt)
        for part in inputs.parts(start, gap, mean, count):
            yield step, part
        start += gap


def predict_between(filter_, start, stop, dt, inputs):
    """Predict from start to stop [ns] under HeldInputs, in steps none longer than dt [s]."""
    for step, mean in steps_between(start, stop, dt, inputs):
        filter_.predict(step, mean)
    arrive(filter_, stop, inputs)


def arrive(filter_, stop, inputs):
    """Let the inputs of a stamp [ns], up to which a filter was predicted, act on what it is at."""
    now = inputs.at(stop)
    if now is not None and isinstance(filter_, Acting):
        filter_.act(now)
