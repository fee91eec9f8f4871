"""The record of the second stage of kinematic filters: forces that the model does not know."""

import numpy as np

from mb_model.record import MAX_INDEPENDENT

_real = np.float64

DISTURBANCE = np.dtype([
    ('bandwidth', _real),                                          # [rad/s]
    ('elapsed', _real),                                            # since the last estimate [s]
    ('force', _real, (MAX_INDEPENDENT,)),                          # on each degree of freedom
    ('covariance', _real, (MAX_INDEPENDENT, MAX_INDEPENDENT)),     # of it
])
