"""The record of the continuous filters as published, beside FILTER or DEPENDENT."""

import numpy as np

from mb_estimators.records import dependent, filter as independent
from mb_estimators.records.filter import MAX_CHANNELS

_integer, _real = np.int64, np.float64


def _kalman_bucy(states):
    """Return the record for at most so many states: motion, then biases."""
    one, square = (states,), (states, states)
    return np.dtype([
        ('P', _real, square),                              # covariance of the states
        ('x', _real, one),                                 # the states
        ('rate', _real, one),                              # their derivative without feedback
        ('pull', _real, one),                              # and the feedback K (o - h)
        ('f', _real, square),                              # derivative of the rate by the states
        ('information', _real, square),                    # H^T R^-1 H of the readings
        ('density', _real, one),                           # of the plant noise, its diagonal
        # the same where the last step began
        ('step', _real),                                   # its length [s]; 0: there is none
        ('begin_P', _real, square), ('begin_x', _real, one),
        ('begin_rate', _real, one),                        # with feedback
        ('begin_f', _real, square), ('begin_information', _real, square),
        # a correction
        ('predicted_P', _real, square),
        ('feedback', _real, (states, MAX_CHANNELS)),       # K = P H^T R^-1
        ('missing', _real, one), ('tangent', _real, square), ('pivots', _integer, (2 * states,)),
        ('hamiltonian', _real, (2 * states, 2 * states)), ('columns', _real, (states, 2 * states)),
    ])


KALMAN_BUCY = _kalman_bucy(independent.MAX_STATES)                     # states z, zd
KALMAN_BUCY_DEPENDENT = _kalman_bucy(dependent.MAX_STATES)             # states q, qd
