"""How large errors of drives are beside what errors of the motion make of forces."""

import numpy as np
from scipy.special import erfcx

from mb_estimators.fitting.scaled_equations import Equations
from mb_model.arrays import FloatArray

_LEAST = 1e-12          # of a residual, against its expected deviation
_SURE = 0.01            # share of the residual's square that is at least of the drives
_SCORINGS = 10


def error_sizes(equations: Equations, count: int, limit: float = 0.0) -> FloatArray:
    """Return the errors of drives, and of all, against what Equations expect of them (2, g).

    What the errors of the motion leave of the residual of a degree of freedom is of its
    drive; they are smaller than expected themselves where the residual is.  Windows count by the
    certainty of their squares (likelihood of variance components, by scoring).  count: of the
    numbers that were fitted; limit: from so many deviations on residuals count less, as in
    Equations.doubted, 0: none.
    """
    windows, g = equations.residual.shape
    of_drives, of_motion = (np.diagonal(part, axis1=1, axis2=2)
                            for part in (equations.of_drives, equations.of_motion))
    square = np.maximum(windows / max(windows - count / g, 1.0) * equations.residual ** 2,
                        _LEAST ** 2 * (of_drives + of_motion))
    drives, whole = np.ones(g), np.ones(g)
    for _ in range(_SCORINGS):
        trusted = square * _trust(square / (whole * (drives * of_drives + of_motion)), limit)
        certain = (of_drives / (whole * (drives * of_drives + of_motion))) ** 2
        certain /= certain.sum(axis=0)
        seen, motion = (np.sum(certain * part / of_drives, axis=0) for part in (trusted, of_motion))
        drives = np.maximum(seen - motion, _SURE * seen)
        whole = seen / (drives + motion)
    return np.asarray(np.sqrt([drives, whole]), np.float64)


def _trust(square: FloatArray, limit: float) -> FloatArray:
    """Return factors of squares, in variances, whose mean is 1 for normal residuals."""
    if not limit:
        return np.ones_like(square)
    mean = limit ** 2 * (1.0 - limit * np.sqrt(0.5 * np.pi) * erfcx(limit / np.sqrt(2.0)))
    return np.asarray(1.0 / (mean * (1.0 + square / limit ** 2)), np.float64)
