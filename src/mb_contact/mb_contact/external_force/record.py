"""The records of the kernels of forces from outside, beside model and work."""

import numpy as np

from mb_model.record import MAX_COORDINATES, MAX_INDEPENDENT

_N, _G = MAX_COORDINATES, MAX_INDEPENDENT
_integer, _real = np.int64, np.float64

DRIVES = np.dtype([
    ('count', _integer),                               # d
    ('coordinate', _integer, (_N,)),                   # on which each acts
    ('start', _real, (_N,)),                           # position of the file
])

OBSERVER = np.dtype([
    ('gain', _real, (_G,)),                            # [1/s]
    ('force', _real, (_G,)),                           # the estimate
    ('noted', _integer),                               # whether there is a last instant
    ('momentum', _real, (_G,)),                        # of the last instant,
    ('rate', _real, (_G,)),                            # its rate without drives,
    ('jacobian', _real, (_N, _G)),                     # and rows of R of the drives
    ('new_momentum', _real, (_G,)), ('new_rate', _real, (_G,)),
])
