"""A rectangle of the first two degrees of freedom, round after round, at rest in every corner."""

import numpy as np

from mb_simulation.control.line import line
from mb_simulation.control.polynomial_trajectory import chain


def rectangle(start, size, limits):
    """Return the PolynomialTrajectory from start (g) to the first corner and round.

    size: (along the first, along the second degree of freedom); its centre is the start.
    """
    corners = [np.array(start, float) for _ in range(4)]
    for corner, signs in zip(corners, ((-1, -1), (1, -1), (1, 1), (-1, 1)), strict=True):
        corner[:2] += 0.5 * np.multiply(signs, size)
    ways = zip([start, *corners], [*corners, corners[0]], strict=True)
    return chain([line(begin, end, limits) for begin, end in ways], repeat_from=1)
