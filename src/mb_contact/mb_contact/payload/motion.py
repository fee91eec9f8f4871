"""What is weighed at one instant, and the motion of messages of an estimator."""

from collections.abc import Sequence
from math import isqrt
from typing import Any, NamedTuple

import numpy as np

from mb_contact.detection.messages import STATE, require_independent
from mb_model import Mechanism
from mb_model.arrays import FloatArray

HYDRAULICS, HYDRAULICS_TYPE = 'estimator/hydraulics', 'mb_interfaces/msg/HydraulicState'


class Motion(NamedTuple):
    """Motion of a message: z, zd, zdd (g) and q (n)."""

    z: FloatArray
    zd: FloatArray
    zdd: FloatArray
    q: FloatArray


class Instant(NamedTuple):
    """All that a PayloadEstimator takes of one stamp [ns]; frame: of its message."""

    stamp: int
    frame: str
    z: FloatArray
    zd: FloatArray
    zdd: FloatArray
    q: FloatArray
    p: FloatArray | None
    covariance: FloatArray
    forces: FloatArray | None
    distrust: str


def motion_of(mechanism: Mechanism, message: Any) -> Motion:
    """Return the Motion of a MechanismState; raises ValueError if it is not of the mechanism."""
    require_independent(mechanism, message.independent, f'{STATE}: ')
    return Motion(*(array(part) for part in (message.z, message.zd, message.zdd, message.q)))


def square(topic: str, numbers: Sequence[float], *sizes: int) -> FloatArray:
    """Return a covariance of one of some sizes, or empty; raises ValueError."""
    flat = array(numbers)
    size = isqrt(flat.size)
    if size * size != flat.size or size not in (0, *sizes):
        expected = ' or '.join(f'{one} times {one}' for one in sizes)
        raise ValueError(f'{topic}: covariance: {flat.size} numbers must be {expected}, or none')
    return flat.reshape(size, size)


def array(numbers: Sequence[float]) -> FloatArray:
    """Return a field of a message as an array."""
    return np.array(numbers, dtype=np.float64)
