"""Places on the surfaces of bodies where something may touch them."""

from math import pi

import numpy as np

_DISC = 4         # times as many places as on a side of a capsule


def surface_of(shape, places):
    """Return places (k, 2) [m] evenly over the surface of a BodyShape, inward normals (k, 2).

    In the body's frame.  Round ends of a capsule, where joints are, are left out.
    """
    ends = np.array(shape.ends, float)
    if shape.is_disc:
        angles = 2.0 * pi * (np.arange(_DISC * places) + 0.5) / (_DISC * places)
        outward = np.column_stack([np.cos(angles), np.sin(angles)])
        return ends[0] + shape.radius * outward, -outward
    along = (np.arange(places) + 0.5)[:, None] / places
    middle = ends[0] + along * (ends[1] - ends[0])
    left = left_of(ends[1] - ends[0])
    return (np.vstack([middle + shape.radius * left, middle - shape.radius * left]),
            np.vstack([np.tile(-left, (places, 1)), np.tile(left, (places, 1))]))


def left_of(direction):
    """Return the unit vector to the left of a direction (2)."""
    return np.array([-direction[1], direction[0]]) / np.hypot(*direction)

