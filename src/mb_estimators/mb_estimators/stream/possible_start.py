"""Whether a filter can start somewhere and go on from there."""

import numpy as np

from mb_estimators.filter import Estimate, Filter
from mb_estimators.watches.lost import LostWatch


def require_possible(filter_: Filter, initial: tuple, dt: float, lost: LostWatch) -> None:
    """Raise ValueError unless a filter can start at (z, zd, covariance) and continue.

    It must know where it is then, and where after a step of the model by dt [s], see LostWatch, and
    not move by more than the room of the mechanism in that step.  The filter is not put back.
    """
    try:
        with np.errstate(all='ignore'):
            filter_.reset(*initial)
            before = _require_sensible(filter_.estimate, lost)
            filter_.predict(dt)
            after = _require_sensible(filter_.estimate, lost)
    except ArithmeticError as error:
        raise ValueError(f'the filter cannot go on from there: {error}') from error
    lost.require_near(before.z, after.z)


def _require_sensible(estimate: Estimate, lost: LostWatch) -> Estimate:
    """Return an Estimate; raises ValueError if it is not finite, or lost."""
    if not all(np.isfinite(part).all() for part in estimate[:7]):
        raise ValueError('the estimate would not be finite')
    problem = lost.far_off(estimate)
    if problem:
        raise ValueError(f'the estimate would be lost: {problem}')
    return estimate
