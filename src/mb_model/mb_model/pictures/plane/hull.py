"""The convex hull of points in the plane; importing scipy's takes longer than a picture."""

import numpy as np


def convex_hull(points):
    """Return the corners of the convex hull of points (k, 2), counterclockwise: Andrew 1979."""
    points = np.unique(points, axis=0)
    if len(points) < 3:
        return points
    return np.concatenate([_half(points)[:-1], _half(points[::-1])[:-1]])


def _half(points):
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
