"""What chains of segments in place of bodies share."""

import numpy as np

SEGMENTS = 12


def nodes(body):
    """Return the names of the points of a Body's chain, from its first to its last."""
    first, last = list(body.points)[:2]
    return [first, *(f'{body.name}_node{k}' for k in range(1, SEGMENTS)), last]


def points_between(mechanism, body):
    """Return the points between segments of a Body, on the line through its ends at the start."""
    names = nodes(body)
    first, last = (np.array(start_place(mechanism, names[end])) for end in (0, -1))
    return {name: {'start': (first + k / SEGMENTS * (last - first)).tolist()}
            for k, name in enumerate(names[1:-1], 1)}


def highest_frequency(bending_stiffness, mass, length):
    """Return the highest frequency of a chain [rad/s]; bending_stiffness [N m^2]."""
    return 4.0 * SEGMENTS ** 2 * np.sqrt(bending_stiffness / (mass * length ** 3))


def start_place(mechanism, point):
    """Return the place of a point at the start, as a list [m]."""
    if mechanism.points[point].fixed:
        return list(mechanism.points[point].position)
    k = mechanism.point_index(point)
    return mechanism.q0[k:k + 2].tolist()
