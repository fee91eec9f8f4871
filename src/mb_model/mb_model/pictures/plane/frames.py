"""What is in the picture of a run of a mechanism in the plane."""

from dataclasses import dataclass

import numpy as np

from mb_model.assembly.places import point_places
from mb_model.pictures.parts.clip import Clip
from mb_model.pictures.parts.colours import COLOURS
from mb_model.pictures.plane.drawing import extent
from mb_model.pictures.plane.shapes import shapes_of


@dataclass(frozen=True)
class Frames:
    """The picture of a Clip in k frames.

    traces: point -> (its path (k, 2) [m], colour); low, high (2): corners of the picture [m].
    """

    clip: Clip
    shapes: list
    traces: dict
    low: np.ndarray
    high: np.ndarray


def frames_of(clip, trace):
    """Return the Frames of a Clip; trace: names of points whose paths are drawn; ValueError."""
    mechanism, q = clip.run.mechanism, clip.q
    points = list(mechanism.points)
    for name in trace:
        if name not in points:
            raise ValueError(f'trace: {name}: unknown point, expected one of {", ".join(points)}')
    shapes, places = shapes_of(mechanism, q), point_places(mechanism, q)
    traces = {name: (places[:, points.index(name)], COLOURS[(1 + k) % len(COLOURS)])
              for k, name in enumerate(trace)}
    low, high = extent([shape.vertices() for shape in shapes])
    return Frames(clip, shapes, traces, low, high)
