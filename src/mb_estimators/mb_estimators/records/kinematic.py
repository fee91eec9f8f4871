"""The record of a filter of motion alone, beside FILTER, whose x and P have its states.

The states are z, zd, zdd, any higher derivatives, and biases.
"""

import numpy as np

from mb_estimators.records.filter import MAX_CHANNELS, MAX_STATES

_L, _K = MAX_STATES, MAX_CHANNELS
_integer, _real = np.int64, np.float64

KINEMATIC = np.dtype([
    ('x0', _real, (_L,)),                              # the prediction that a correction begins at
    # how readings fitted it, while the correction goes on to better places to linearise at
    ('residual', _real, (_K,)), ('residual_covariance', _real, (_K, _K)), ('nis', _real),
])
