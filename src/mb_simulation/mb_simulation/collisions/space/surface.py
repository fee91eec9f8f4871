"""Distances of places from the surface of a Solid, by closed forms."""

import numpy as np


def line_of(solid):
    """Return the axis of a Solid along which it is longest, or which it is round about."""
    return int(np.argmax(solid.size)) if solid.kind == 'box' else 2


def extent(solid, line):
    """Return how long a Solid is along its line, and how wide across it [m]."""
    if solid.kind == 'box':
        return solid.size[line], max(np.delete(solid.size, line))
    return (0.0 if solid.kind == 'sphere' else solid.size[1]), 2.0 * solid.size[0]


def nearest(solid, place):
    """Return the place (3) of a Solid that is nearest to one; both in the frame of its body."""
    at = solid.axes.T @ (place - solid.centre)
    if solid.kind == 'box':
        half = 0.5 * np.array(solid.size)
        at = np.clip(at, -half, half)
    elif solid.kind == 'sphere':
        at = at * min(1.0, solid.size[0] / max(np.linalg.norm(at), 1e-12))
    else:
        radius, length = solid.size[:2]
        at[:2] *= min(1.0, radius / max(np.hypot(*at[:2]), 1e-12))
        at[2] = np.clip(at[2], -0.5 * length, 0.5 * length)
    return solid.centre + solid.axes @ at
