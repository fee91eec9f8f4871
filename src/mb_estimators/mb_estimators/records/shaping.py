"""The record of filters with coloured noise, beside FILTER: one entry for each of its states."""

import numpy as np

from mb_estimators.records.filter import MAX_BIASES

_integer, _real = np.int64, np.float64

SHAPING = np.dtype([
    ('count', _integer),                               # coloured noises, the last states
    ('first', _integer),                               # their place among the biases
    ('disturbs', _integer, (MAX_BIASES,)),             # a degree of freedom, or -1: a sensor
    ('variance', _real, (MAX_BIASES,)),                # of what comes in with a step dt
    ('weight', _real, (MAX_BIASES,)),                  # W: what is left of it after a step dt
    ('window', _integer),                              # readings that W is learnt by; 0: it stays
    ('before', _real, (MAX_BIASES,)),                  # normalised correction of the reading before
])
