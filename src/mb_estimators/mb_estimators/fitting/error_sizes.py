"""How large errors of drives are beside what errors of the motion make of forces."""

import numpy as np

from mb_estimators.fitting.equations import Equations
from mb_model.arrays import FloatArray

_LEAST = 1e-12          # of a residual, against its expected deviation
_SURE = 0.01            # share of the residual's square that is at least of the drives
_SCORINGS = 10


def error_sizes(equations: Equations, count: int) -> FloatArray:
    """Return the errors of drives, and of all, against what Equations expect of them (2, g).

    What the errors of the motion leave of the residual of a degree of freedom is of its
    drive; they are smaller than expected themselves where the residual is.  Windows count by the
    certainty of their squares (likelihood of variance components, by scoring).  count: of the
    numbers that were fitted.
    """
    windows, g = equations.residual.shape
    of_drives, of_motion = (np.diagonal(part, axis1=1, axis2=2)
                            for part in (equations.of_drives, equations.of_motion))
    square = np.maximum(windows / max(windows - count / g, 1.0) * equations.residual ** 2,
                        _LEAST ** 2 * (of_drives + of_motion))
    drives, whole = np.ones(g), np.ones(g)
    for _ in range(_SCORINGS):
        certain = (of_drives / (whole * (drives * of_drives + of_motion))) ** 2
        certain /= certain.sum(axis=0)
        seen, motion = (np.sum(certain * part / of_drives, axis=0) for part in (square, of_motion))
        drives = np.maximum(seen - motion, _SURE * seen)
        whole = seen / (drives + motion)
    return np.asarray(np.sqrt([drives, whole]), np.float64)
