"""How far off single errors are, against a deviation that a few wild ones hardly change."""

from collections.abc import Iterator, Sequence

import numpy as np

from mb_estimators.fitting.scaled_equations import Equations
from mb_model.arrays import FloatArray

NOTED = 6.0             # deviations: of a million normal errors none is farther off
_NORMAL = 1.4826        # deviation of normal errors over the median of their size
_LEAST = 0.05           # of what is expected: the deviation by that median
_MATTERS = 0.1          # of the sum of squares of a row
_EXACT = 1e-6           # of the forces: residuals that are rounding


def far_off(errors: FloatArray) -> FloatArray:
    """Return sizes of errors (k, c), in what is expected of them, in deviations of their column.

    NaN counts as none.  A deviation is by the median (Hampel 1974), and not more than expected.
    """
    sizes = np.abs(errors)
    scale = np.ones(sizes.shape[1])
    for column in np.flatnonzero(np.isfinite(sizes).any(axis=0)):
        scale[column] = np.clip(_NORMAL * float(np.nanmedian(sizes[:, column])), _LEAST, 1.0)
    return np.nan_to_num(sizes / scale)


def far_samples(equations: Equations, rows: Sequence[str], limit: float) -> Iterator[str]:
    """Yield what is said of samples that no error of the rest explains, by row of an instant.

    Where they matter for the errors of the row.  limit: from so many deviations on they count less,
    0: all alike.
    """
    errors = equations.residual / equations.deviations
    far = far_off(errors) > NOTED
    share = np.sum(errors ** 2 * far, axis=0) / np.maximum(np.sum(errors ** 2, axis=0), 1e-300)
    size, force = (np.sqrt(np.mean(one ** 2, axis=0)) for one in (equations.residual,
                                                                  equations.force))
    matters = (share > _MATTERS) & (size > _EXACT * force)
    for name, count, said in zip(rows, far.sum(axis=0), matters, strict=True):
        if said:
            yield (f'{name}: {count} of {len(equations)} samples are more than {NOTED:g} '
                   'deviations of the rest off, ' + (
                       'and count little' if limit else
                       'and count like the others: --fit outliers=2.4 lets them count less'))
