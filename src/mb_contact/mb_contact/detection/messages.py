"""States from messages, of rclpy or of a bag that is read without ROS.

States also from the Step of an estimator.
"""

from collections.abc import Sequence
from math import isqrt
from typing import Any

import numpy as np

from mb_contact.detection.state import State
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.file_api import stamp_of

STATE, STATE_TYPE = 'estimator/state', 'mb_interfaces/msg/MechanismState'
CONTACTS = '/prototype/contacts'       # of a simulated machine


def state_of(mechanism: Mechanism, message: Any) -> State:
    """Return the State of a MechanismState; raises ValueError if it is not of the mechanism."""
    require_independent(mechanism, message.independent)
    covariance = np.array(message.covariance)
    size = isqrt(covariance.size)
    if size * size != covariance.size:
        raise ValueError(f'covariance: {covariance.size} numbers are no square')
    return State(stamp_of(message), np.array(message.z), np.array(message.zd),
                 np.array(message.zdd), covariance.reshape(size, size),
                 _position(mechanism, np.array(message.q)))


def state_of_step(mechanism: Mechanism, estimated: Mechanism, step: Any) -> State:
    """Return the State of a Step of an estimator of the mechanism `estimated`, as of its message.

    Raises ValueError if the message is not of the mechanism.
    """
    require_independent(mechanism, estimated.independent)
    e = step.estimate
    return State(step.stamp, e.z, e.zd, e.zdd, e.covariance, _position(mechanism, e.q))


def require_independent(mechanism: Mechanism, names: Sequence[str], where: str = '') -> None:
    """Raise ValueError unless names are the degrees of freedom; where: begins its text."""
    if tuple(names) != tuple(mechanism.independent):
        raise ValueError(f'{where}independent: [{", ".join(names)}] must be '
                         f'[{", ".join(mechanism.independent)}], as in {mechanism.name}')


def _position(mechanism: Mechanism, q: FloatArray) -> FloatArray | None:
    """Return all coordinates (n), None if they are not of the mechanism."""
    return q if q.size == mechanism.n else None
