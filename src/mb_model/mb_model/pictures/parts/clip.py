"""Which instants of a run an animation shows."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mb_model.arrays import FloatArray, IntArray
from mb_model.pictures.parts.colours import COLOURS

if TYPE_CHECKING:
    from mb_model.simulation.run import Run

_FEWEST = 2
Traces = dict[str, tuple[FloatArray, str]]      # point -> (its path (k, d) [m], colour)


@dataclass(frozen=True)
class Clip:
    """k frames of a Run: their times (k) [s], their indices in its arrays (k), per second."""

    run: 'Run'
    title: str
    t: FloatArray
    numbers: IntArray
    fps: float

    @property
    def q(self) -> FloatArray:
        """Coordinates (k, n)."""
        return self.run.q[self.numbers]

    @property
    def time_digits(self) -> int:
        """How many decimals the times of neighbouring frames differ in."""
        gap = self.t[1] - self.t[0]
        return max(2, next(digits for digits in range(12) if 10.0 ** -digits <= 1.001 * gap))


def clip_of(run: 'Run', title: str, fps: float, speed: float) -> Clip:
    """Return the Clip of a Run: fps frames for each `speed` seconds of simulated time; ValueError.
    """
    for name, value in (('fps', fps), ('speed', speed)):
        if not 0.0 < value < np.inf:
            raise ValueError(f'{name}: {value} must be > 0')
    count = int(run.t[-1] * fps / speed + 1e-6) + 1
    if count < _FEWEST:
        raise ValueError(f'speed: {speed:g} shows {run.t[-1]:g} s in a single frame, slow it down: '
                         f'{run.t[-1] / 5.0:.1g} would take 5 s')
    wanted = np.arange(count) * (speed / fps)
    numbers = np.rint(np.interp(wanted, run.t, np.arange(len(run.t)))).astype(int)
    how_fast = f' · {speed:g} x real time' if speed != 1.0 else ''
    return Clip(run, title + how_fast, run.t[numbers], numbers, fps)


def traces_of(points: Collection[str], path_of: Callable[[str], FloatArray],
              trace: Sequence[str]) -> Traces:
    """Return the Traces of points by name; raises ValueError for other names."""
    for name in trace:
        if name not in points:
            raise ValueError(f'trace: {name}: unknown point, expected one of '
                             f'{", ".join(points) or "none, as no body has points"}')
    return {name: (path_of(name), COLOURS[(1 + k) % len(COLOURS)]) for k, name in enumerate(trace)}
