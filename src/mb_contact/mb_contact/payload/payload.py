"""Results of the payload estimator."""

from typing import NamedTuple

import numpy as np

from mb_model.arrays import BoolArray


class Payload(NamedTuple):
    """Unknown masses (k) at one instant, in the order of the estimator's `masses` [kg].

    mass: filtered, NaN until the first instant that counts; raw_mass: of this instant alone, NaN
    where it is undetermined; deviation: standard deviations of mass; updating: whether this instant
    entered mass; reason: why not, or why the
    deviation is larger than usual, in words; event: 'picked up' or 'released' if a change of a load
    was detected at this instant.  Of many instants: arrays and lists with a row of each.
    """

    mass: np.ndarray
    raw_mass: np.ndarray
    deviation: np.ndarray
    updating: bool | BoolArray
    reason: str | list[str]
    event: str | list[str]
