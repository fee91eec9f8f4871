"""What numbers of a machine are after recordings, and whether these say so or the file."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from mb_estimators.fitting.unknowns import Unknowns
from mb_model.arrays import FloatArray

_DOUBTED = 10.0         # times as uncertain as believed may be what the recordings leave open,
_CHANGED = 0.3          # and it changes a known number by less than this share


@dataclass(frozen=True)
class FittedNumber:
    """A number of the mechanism file, or gain or offset of a drive, by its path.

    believed: at first; deviation (1 sigma); is_known: whether the recordings say it, rather than
    the file, which decides how what they know as sums is shared out.
    """

    path: str
    value: float
    deviation: float
    believed: float
    is_known: bool


def fitted_numbers(unknowns: Unknowns, x: FloatArray, belief: FloatArray,
                   triangle: FloatArray) -> tuple[FittedNumber, ...]:
    """Return the FittedNumbers at unknowns x (p).

    belief (p, p), triangle (k, p): their squares are the information of beliefs and recordings.
    """
    # In units of what is believed: variance 1 before, 1 / (1 + s^2) after.
    slopes = solve_triangular(belief, unknowns.raw_slopes(x).T, trans='T')
    _, s, axes = np.linalg.svd(solve_triangular(belief, triangle.T, trans='T').T,
                               full_matrices=False)
    along = np.square(axes @ slopes)
    undecided = np.maximum(np.sum(slopes ** 2, axis=0) - np.sum(along, axis=0), 0.0)
    left = 1.0 / (1.0 + s[:, np.newaxis] ** 2)
    both, own = undecided + np.sum(along * left, axis=0), undecided + np.sum(
        along * left ** 2, axis=0)
    values, start = unknowns.raw_values(x), unknowns.raw_values(unknowns.start)
    # What the file decides, and by how much it may change a known number.
    known_within = np.maximum(_CHANGED * np.abs(list(values.values())),
                              np.sqrt(np.maximum(both - own, 0.0)))
    is_known = _DOUBTED * np.sqrt(own) < known_within
    return tuple(FittedNumber(path, value, float(deviation), start[path], bool(known))
                 for (path, value), deviation, known in zip(
                     values.items(), np.sqrt(both), is_known, strict=True))
