"""Triangles and lines drawn into an image, those behind others hidden: kernels of pictures.

image (h, w, 3) [0 to 1], depth (h, w): larger if nearer; owner (h, w): what is seen there.
"""

from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from mb_model.arrays import FloatArray
from mb_model.jit import entry


@entry
def fill(corners, colours, number, image, depth, owner):
    """Draw triangles: corners (t, 3, 3) in pixels and depth, colours (t, 3, 3) of corners.

    Depth and colours are linear between the corners, on the screen.  Triangles that show their back
    are left out: surfaces are closed.
    """
    height, width = depth.shape
    for t in range(len(corners)):
        ax, ay, near = corners[t, 0]
        bx, by, cx, cy = corners[t, 1, 0], corners[t, 1, 1], corners[t, 2, 0], corners[t, 2, 1]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if not area < 0.0:
            continue
        # Shares of corners b and c, and how they change with column and row.
        b_column, b_row = (cy - ay) / area, -(cx - ax) / area
        c_column, c_row = -(by - ay) / area, (bx - ax) / area
        deeper_b, deeper_c = corners[t, 1, 2] - near, corners[t, 2, 2] - near
        top, bottom = max(ceil(min(ay, by, cy)), 0), min(floor(max(ay, by, cy)), height - 1)
        first, last = max(ceil(min(ax, bx, cx)), 0), min(floor(max(ax, bx, cx)), width - 1)
        for row in range(top, bottom + 1):
            b = (first - ax) * b_column + (row - ay) * b_row
            c = (first - ax) * c_column + (row - ay) * c_row
            inside = False
            for column in range(first, last + 1):
                if b >= 0.0 and c >= 0.0 and b + c <= 1.0:
                    inside = True
                    here = near + b * deeper_b + c * deeper_c
                    if here > depth[row, column]:
                        depth[row, column], owner[row, column] = here, number
                        a = 1.0 - b - c
                        for k in range(3):
                            image[row, column, k] = (a * colours[t, 0, k] + b * colours[t, 1, k]
                                                     + c * colours[t, 2, k])
                elif inside:
                    break
                b += b_column
                c += c_column


@entry
def stroke(ends, colour, radius, tolerance, image, depth):
    """Draw lines where nothing is before them: ends (e, 2, 3) in pixels and depth.

    colour (3); radius of the pen in pixels; tolerance of depth, as a share.
    """
    height, width = depth.shape
    reach = ceil(radius)
    for e in range(len(ends)):
        dx, dy = ends[e, 1, 0] - ends[e, 0, 0], ends[e, 1, 1] - ends[e, 0, 1]
        count = ceil(max(abs(dx), abs(dy))) + 1
        for k in range(count + 1):
            share = k / count
            x, y = ends[e, 0, 0] + share * dx, ends[e, 0, 1] + share * dy
            near = (1.0 - share) * ends[e, 0, 2] + share * ends[e, 1, 2]
            near += tolerance * abs(near)
            for row in range(max(floor(y) - reach, 0), min(floor(y) + reach, height - 1) + 1):
                for column in range(max(floor(x) - reach, 0),
                                    min(floor(x) + reach, width - 1) + 1):
                    if ((column - x) ** 2 + (row - y) ** 2 <= radius * radius
                            and near > depth[row, column]):
                        for c in range(3):
                            image[row, column, c] = colour[c]


@entry
def outline(owner, shade, image):
    """Darken pixels (to a share) at the border of what different numbers own."""
    height, width = owner.shape
    for row in range(height - 1):
        for column in range(width - 1):
            own = owner[row, column]
            if own != owner[row + 1, column] or own != owner[row, column + 1]:
                for c in range(3):
                    image[row, column, c] *= shade


def halved(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return an image with half as many pixels each way, each a mean of four (h, w, 3)."""
    rows = image[0::2] + image[1::2]
    return 0.25 * (rows[:, 0::2] + rows[:, 1::2])


def blank(height: int, width: int) -> tuple[NDArray[np.float32], FloatArray, NDArray[np.int32]]:
    """Return (image, depth, owner) of a white picture."""
    return (np.ones((height, width, 3), np.float32), np.zeros((height, width)),
            np.full((height, width), -1, np.int32))
