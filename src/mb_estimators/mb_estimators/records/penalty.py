"""The record of the continuous filter with a penalty model, beside DEPENDENT."""

import numpy as np

from mb_estimators.records.dependent import MAX_STATES
from mb_estimators.records.filter import MAX_CHANNELS
from mb_model.record import MAX_COORDINATES

_L, _K, _N = MAX_STATES, MAX_CHANNELS, MAX_COORDINATES
_integer, _real = np.int64, np.float64

PENALTY_STEP = np.dtype([
    ('qdd_q', _real, (_N, _N)), ('qdd_qd', _real, (_N, _N)),       # dqdd/dq, dqdd/dqd
    # the last step, which a correction integrates anew
    ('step', _real),                                               # its length [s]
    ('begin_q', _real, (_N,)), ('begin_qd', _real, (_N,)), ('begin_qdd', _real, (_N,)),
    ('feedback', _real, (_L, _K)),                                 # P H^T R^-1
    ('missing', _real, (_L,)), ('tangent', _real, (_L, _L)), ('pivots', _integer, (_L,)),
])
