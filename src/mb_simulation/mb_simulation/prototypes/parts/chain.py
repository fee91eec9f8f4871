"""What chains of segments in place of bodies share.

N hinges amid N equal pieces of the beam, each with a spring of E I N / L, and rigid segments
between them, half ones at both ends.  With hinges amid the pieces the deflection under a force at
the tip is too small by the share 1 / (4 N^2), whatever holds the beam; with hinges between N
segments a clamped one lacks 3 / (2 N).
"""

from math import sqrt

import numpy as np

PIECES = 12                 # N
_HIGHEST = 8.9              # of N^2 sqrt(E I / (m L^3)): of a chain with both ends free


def places():
    """Return where points of a chain are: its ends, and hinges between, as shares of the length."""
    return np.r_[0.0, (np.arange(PIECES) + 0.5) / PIECES, 1.0]


def nodes(body):
    """Return the names of the points of a Body's chain, from its first to its last."""
    first, last = list(body.points)[:2]
    return [first, *(f'{body.name}_node{k}' for k in range(1, PIECES + 1)), last]


def segment_names(name):
    """Return the names of the segments of a body's chain, from its first end on."""
    return [f'{name}_segment{k}' for k in range(PIECES + 1)]


def segment_at(share):
    """Return the number of the segment that carries a place; share: of the length."""
    return min(max(int(share * PIECES + 0.5), 0), PIECES)


def points_between(mechanism, body):
    """Return the points between segments of a Body, on the line through its ends at the start."""
    names = nodes(body)
    first, last = (np.array(start_place(mechanism, names[end])) for end in (0, -1))
    return {name: {'start': (first + share * (last - first)).tolist()}
            for name, share in zip(names[1:-1], places()[1:-1], strict=True)}


def fastest_rate(bending_stiffness, mass, length, damping_time):
    """Return the largest |eigenvalue| of a chain [1/s]; what holds and loads it makes it smaller.

    bending_stiffness [N m^2]; damping_time: damping over stiffness [s].
    """
    frequency = _HIGHEST * PIECES ** 2 * sqrt(bending_stiffness / (mass * length ** 3))
    return largest_rate(frequency, 0.5 * damping_time * frequency)


def largest_rate(frequency, share):
    """Return the largest |eigenvalue| [1/s] of a frequency [rad/s]; share: of critical damping."""
    return frequency * (share + sqrt(share * share - 1.0)) if share > 1.0 else frequency


def start_place(mechanism, point):
    """Return the place of a point at the start, as a list [m]."""
    if mechanism.points[point].fixed:
        return list(mechanism.points[point].position)
    k = mechanism.point_index(point)
    return mechanism.q0[k:k + 2].tolist()
