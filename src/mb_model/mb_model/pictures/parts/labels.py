"""Where the names in a picture go: near what they name, and none over another."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray

_CHARACTER, _HEIGHT = 5.6, 13.0      # size of a name at 9 points, with some paper around it
_PADDING = 6.0


def placed(names: Mapping[str, Iterable[Any]],
           blocked: Iterable[Any] = ()) -> dict[str, tuple[float, float]]:
    """Return name -> where its middle goes (2), where a position is free, in points.

    names: name -> the middles (k, 2) to try, the best one first; blocked: positions (2) that no
    name may cover.
    """
    boxes, middles = [(x, y, 6.0, 6.0) for x, y in blocked], {}
    for name, choices in names.items():
        size = _CHARACTER * len(name) + _PADDING, _HEIGHT
        for x, y in choices:
            if not any(abs(x - u) < 0.5 * (size[0] + a) and abs(y - v) < 0.5 * (size[1] + b)
                       for u, v, a, b in boxes):
                boxes.append((x, y, *size))
                middles[name] = (x, y)
                break
    return middles


def beside(name: str, point: Any) -> list[tuple[float, float]]:
    """Return middles to try for the name of a point: in the corners around it, then straight by."""
    x, y = point
    across = 0.5 * (_CHARACTER * len(name) + _PADDING) + 6.0
    return [(x + across, y - 10.0), (x + across, y + 10.0), (x - across, y - 10.0),
            (x - across, y + 10.0), (x, y - 16.0), (x, y + 16.0)]


def along(corners: Sequence[FloatArray]) -> list[FloatArray]:
    """Return middles to try for the name of a body: its middle, then nearer to its corners."""
    middle = sum(corners) / len(corners)
    edges = [0.5 * (a + b) for a, b in pairwise([*corners, corners[0]])]
    aside = np.array([0.0, 11.0])
    return [middle, middle + aside, middle - aside, *edges, middle + 2 * aside, middle - 2 * aside,
            *(0.65 * middle + 0.35 * corner for corner in corners)]
