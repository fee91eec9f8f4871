"""The record of filters that predict by the matrix exponential, beside FILTER: of a sub-step.

Fixed maximum sizes, as in FILTER.
"""

import numpy as np

from mb_model.record import MAX_INDEPENDENT

_S = 2 * MAX_INDEPENDENT              # states z, zd
_real = np.float64

EXPONENTIAL = np.dtype([
    ('rates', _real, (_S, _S)),                        # J h, balanced and shortened
    ('transition', _real, (_S, _S)),
    ('noise', _real, (_S, _S)),                        # of the plant
    ('scale', _real, (_S,)),                           # of the states in these
    ('term', _real, (_S, _S)), ('product', _real, (_S, _S)),
])
