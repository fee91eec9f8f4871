"""Orientations along a track: between its samples, and counted on for pictures."""

import numpy as np

from mb_model import Turns
from mb_model.space_api import rotation


def turns_at(motion, left, right, span, part):
    """Return the Turns between samples of a ComparableMotion, None if it has none.

    left, right: rows (w) of the samples; span (w, 1): between them [s]; part (w, 1): where, 0...1.
    The rotation vector from the left sample is a cubic with the rates at both ends.
    """
    if motion.turns is None:
        return None
    turns, speeds = motion.turns, motion.zd[:, motion.turns.places]     # (k, b, 3)
    vectors = turns[right].since(turns[left])                           # (w, b, 3)
    first, last = span[..., None] * speeds[left], span[..., None] * speeds[right]
    # The rate of a rotation vector v whose body turns at w is w + v x w / 2 to first order in v.
    last += 0.5 * np.cross(vectors, last)
    part = part[..., None]
    bend = part * (1.0 - part)
    on = part * vectors + bend * ((1.0 - part) * (first - vectors) - part * (last - vectors))
    return Turns(turns.places, turns.rotations[left] @ np.array(
        [rotation(vector) for vector in on.reshape(-1, 3)]).reshape(*on.shape, 3))


def counted(motion, first):
    """Return z (k, g) of a ComparableMotion with turns counted on, about axes of the bodies [rad].

    They count from the first instant of another motion, so that all of a picture do.
    """
    z, turns = motion.z.copy(), motion.turns
    steps = turns[1:].since(turns[:-1])
    start = turns[:1].since(first.turns[:1])
    z[:, turns.places] = np.cumsum(np.concatenate([start, steps]), axis=0)
    return z
