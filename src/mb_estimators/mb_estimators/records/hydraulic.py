"""The record of a filter of motion and oil, beside FILTER, whose x and P have its states.

The states are z, zd, zdd, pressures [MPa] and spools, then biases.  In these units the numbers of a
machine are of one size, in SI units they are ten powers of ten apart.
"""

import numpy as np

from mb_estimators.records.filter import MAX_CHANNELS, MAX_STATES

PASCAL = 1e6              # in a unit of the pressures that are states

_L, _K = MAX_STATES, MAX_CHANNELS
_integer, _real = np.int64, np.float64

HYDRAULIC = np.dtype([
    ('cylinder_of', _integer, (_L,)),                  # each coordinate z's cylinder, or -1
    ('psd', _real, (_L,)),                             # of the noise of each state's rate
    ('state_of', _integer, (_K,)),                     # the state a channel reads itself, or -1
    ('unit_of', _real, (_K,)),                         # what one of the state is of the reading
    ('direct', _integer),                              # 1: all channels do
    ('solved', _integer),                              # 1: the mechanism is where the states are
    ('x0', _real, (_L,)),                              # states before a correction
    # a step: its linearised equations, and what they come to
    ('A', _real, (_L, _L)), ('rates', _real, (_L,)),
    ('increment', _real, (_L,)), ('noise', _real, (_L, _L)),
    ('term', _real, (_L, _L)), ('product', _real, (_L, _L)), ('vector', _real, (_L,)),
    # what is told of the oil, in SI units
    ('pressures', _real, (_L,)), ('spools', _real, (_L,)), ('forces', _real, (_L,)),
    ('covariance', _real, (_L, _L)),                   # of z, zd, zdd, pressures, spools
])
