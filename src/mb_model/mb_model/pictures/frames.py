"""Which instants of a run an animation shows, and what is in its picture."""

from dataclasses import dataclass

import numpy as np

from mb_model.assembly.places import point_places
from mb_model.pictures.drawing import extent
from mb_model.pictures.plotting import title
from mb_model.pictures.shapes import COLOURS, shapes_of

_FEWEST = 2


@dataclass(frozen=True)
class Frames:
    """The picture of a run in k frames.

    traces: point -> (its path (k, 2) [m], colour); low, high (2): corners of the picture [m].
    """

    title: str
    t: np.ndarray
    numbers: np.ndarray
    shapes: list
    traces: dict
    low: np.ndarray
    high: np.ndarray


def frames_of(run, fps, speed, trace):
    """Return the Frames of a Run: fps of them for each `speed` seconds of simulated time.

    trace: names of points whose paths are drawn.  Raises ValueError.
    """
    for name, value in (('fps', fps), ('speed', speed)):
        if not 0.0 < value < np.inf:
            raise ValueError(f'{name}: {value} must be > 0')
    points = list(run.mechanism.points)
    for name in trace:
        if name not in points:
            raise ValueError(f'trace: {name}: unknown point, expected one of {", ".join(points)}')
    count = int(run.t[-1] * fps / speed + 1e-6) + 1
    if count < _FEWEST:
        raise ValueError(f'speed: {speed:g} shows {run.t[-1]:g} s in a single frame, slow it down: '
                         f'{run.t[-1] / 5.0:.1g} would take 5 s')
    wanted = np.arange(count) * (speed / fps)
    numbers = np.rint(np.interp(wanted, run.t, np.arange(len(run.t)))).astype(int)
    q = run.q[numbers]
    shapes = shapes_of(run.mechanism, q)
    places = point_places(run.mechanism, q)
    traces = {name: (places[:, points.index(name)], COLOURS[(1 + k) % len(COLOURS)])
              for k, name in enumerate(trace)}
    outlines = [shape.vertices() for shape in shapes]
    low, high = extent(outlines)
    how_fast = f' · {speed:g} x real time' if speed != 1.0 else ''
    return Frames(title(run) + how_fast, run.t[numbers], numbers, shapes, traces, low, high)
