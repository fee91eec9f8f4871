"""What a fit of a mounting is about, in the plane or in space."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Unknowns:
    """The unknowns x: the place, the orientation, the delay, then a bias of each channel.

    names: of those before the biases, the delay last; sizes: so large, errors count alike; places:
    how many numbers a place has; doubtful: name -> deviation that is too large.
    starts(channels, values, readings, priors): [(x near the best one, scale of the accelerometer)],
    found without a start; priors: standard deviations (p + c + 1) of place, biases and
    scale before the fit; raises SensorError;
    expected(channels, values, rates, x): expected readings (k, channels) and their slopes by
    changes of x (k, channels, l), of values of a BodyMotion (k, v) and their rates;
    moved(x, change): x after a change; orientation(x): as in mechanism files, and its slopes (r, r)
    by changes of x.
    Channels are (kind of the sensor, axis).
    """

    names: tuple[str, ...]
    sizes: np.ndarray
    places: int
    doubtful: dict[str, float]
    starts: Callable
    expected: Callable
    moved: Callable
    orientation: Callable

    @property
    def delay(self) -> int:
        """The number of the delay in x; biases follow it."""
        return len(self.names) - 1
