"""The record of filters that estimate the noise of plant and sensors, beside FILTER.

Fixed maximum sizes, as in FILTER.
"""

import numpy as np

from mb_estimators.records.filter import MAX_CHANNELS
from mb_model.record import MAX_INDEPENDENT

_integer, _real = np.int64, np.float64

ADAPTIVE = np.dtype([
    ('plant', _integer), ('sensors', _integer),        # 1: adapt this noise
    ('window', _integer),                              # readings that count
    ('elapsed', _real),                                # since the last correction [s]
    ('corrections', _integer),                         # that told about the plant
    ('taken', _integer, (MAX_CHANNELS,)),              # readings of each channel
    ('smallest_walk', _real, (MAX_INDEPENDENT,)),      # floors, above 0
    ('smallest_variance', _real, (MAX_CHANNELS,)),
    ('drift', _real, (MAX_INDEPENDENT,)),              # mean of the plant noise per time
    ('shape', _real, (MAX_CHANNELS,)),                 # of each channel's inverse-gamma variance
    ('scale', _real, (MAX_CHANNELS,)),
    ('spread', _real, (MAX_CHANNELS,)),                # scale before the present readings
])
