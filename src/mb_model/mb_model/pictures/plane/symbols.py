"""Outlines in pictures of mechanisms: of symbols, in units of half a link's width; hulls."""

import numpy as np

from mb_model.arrays import FloatArray

LEAD = 3.0              # from a point to where spring or damper begin
SIDE = 2.7              # from the middle to spring and damper that lie side by side
DAMPER_SHARE = 0.28     # of the least length that lies before a damper
_TEETH = 7
_BREAK = [np.nan, np.nan]

_turn = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
CIRCLE = np.stack([np.cos(_turn), np.sin(_turn)], axis=1)

GROUND = np.array([[0.0, 0.0], [-2.2, -3.4], [2.2, -3.4]])


def _hatched(begin: float, end: float, level: float) -> FloatArray:
    """Return a line with hatching below it."""
    feet = np.arange(begin + 0.6, end + 1e-9, 1.2)
    strokes = [[[x, level], [x - 0.9, level - 1.1], _BREAK] for x in feet]
    return np.concatenate([[[begin, level], [end, level], _BREAK], *strokes])


HATCH = _hatched(-3.4, 3.4, -3.4)

_angle = np.linspace(0.0, 5.0 * np.pi, 90)
_radius = np.linspace(1.2, 4.2, 90)
SPIRAL = np.stack([_radius * np.cos(_angle), _radius * np.sin(_angle)], axis=1)


def block() -> FloatArray:
    """Return a sliding block."""
    return np.array([[-2.8, -2.0], [2.8, -2.0], [2.8, 2.0], [-2.8, 2.0]])


def barrel(nearest: float, farthest: float) -> FloatArray:
    """Return the barrel of a cylinder around 0, for a piston that moves between two positions."""
    begin, end = min(nearest, 0.0) - 2.2, max(farthest, 0.0) + 2.2
    return np.array([[begin, -2.0], [end, -2.0], [end, 2.0], [begin, 2.0]])


def rail(begin: float, end: float) -> FloatArray:
    """Return the ground below a sliding block."""
    return _hatched(begin, end, -2.0)


def lead(side: float) -> FloatArray:
    """Return the line from a point to where something at its side begins."""
    return np.array([[0.0, 0.0], [LEAD, 0.0], [LEAD, side]])


def zigzag(side: float) -> FloatArray:
    """Return a spring of length 1."""
    x = np.concatenate([[0.0, 0.12], np.linspace(0.12, 0.88, 2 * _TEETH + 1)[1:-1], [0.88, 1.0]])
    y = np.full(len(x), float(side))
    y[2:-2] += 1.7 * np.where(np.arange(2 * _TEETH - 1) % 2, -1.0, 1.0)
    return np.stack([x, y], axis=1)


def cylinder(side: float, begin: float, end: float) -> FloatArray:
    """Return the open cylinder of a damper, from its point on."""
    return np.array([[0.0, 0.0], [LEAD, 0.0], [LEAD, side], [begin, side], _BREAK,
                     [end, side + 1.7], [begin, side + 1.7], [begin, side - 1.7],
                     [end, side - 1.7]])


def piston(side: float, reach: float) -> FloatArray:
    """Return the piston of a damper and its rod, from its point on."""
    return np.array([[0.0, 0.0], [LEAD, 0.0], [LEAD, side], [reach, side], _BREAK,
                     [reach, side + 1.3], [reach, side - 1.3]])


def convex_hull(points: FloatArray) -> FloatArray:
    """Return the corners of the convex hull of points (k, 2), counterclockwise: Andrew 1979.

    To import scipy's takes longer than a picture.
    """
    points = np.unique(points, axis=0)
    if len(points) < 3:
        return points
    return np.concatenate([_half(points)[:-1], _half(points[::-1])[:-1]])


def _half(points: FloatArray) -> FloatArray:
    """Return the corners from the first to the last of sorted points, all turns to the left."""
    corners = []
    for x, y in points:
        while len(corners) > 1:
            (ax, ay), (bx, by) = corners[-2:]
            if (bx - ax) * (y - ay) > (by - ay) * (x - ax):
                break
            corners.pop()
        corners.append((x, y))
    return np.array(corners)
