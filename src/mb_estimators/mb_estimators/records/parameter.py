"""Records of parameters of the model that filters estimate, beside PARAMETER and FILTER.

A parameter p that has to stay positive is p0 exp(s), any other is p0 + unit s, where p0 is its
value in the mechanism file: filters estimate the numbers s, which are 0 at first.
"""

from numba import typeof
import numpy as np

from mb_estimators.records.filter import MAX_BIASES, MAX_CHANNELS, MAX_STATES
from mb_model.record import MAX_COORDINATES, MAX_INDEPENDENT, PARAMETER

MAX_PARAMETERS = 8        # beside any motion and biases there is room for so many in a FILTER
PARAMETERS = typeof(np.empty(0, PARAMETER))     # arrays of them, as compiled functions take them

_P, _K, _L = MAX_PARAMETERS, MAX_CHANNELS, MAX_STATES
_N, _G = MAX_COORDINATES, MAX_INDEPENDENT
_integer, _real = np.int64, np.float64

_ESTIMATED = [
    ('count', _integer),
    ('positive', _integer, (_P,)),                     # 1: stays so
    ('start', _real, (_P,)),                           # p0
    ('unit', _real, (_P,)),
    ('s', _real, (_P,)),                               # estimated
    ('walk', _real, (_P,)),                            # growth of the variance of s per time
    ('s0', _real, (_P,)), ('q0', _real, (_N,)),        # before a correction
]

AUGMENTED = np.dtype([
    *_ESTIMATED,
    ('first', _integer),                               # their first state of the filter
    # derivatives by s at constant z and zd
    ('q_s', _real, (_N, _P)), ('qd_s', _real, (_N, _P)), ('qdd_s', _real, (_N, _P)),
])

# The covariance of s is factor factor^T; see kernels.parameter_points.
DUAL = np.dtype([
    *_ESTIMATED,
    ('factor', _real, (_P, _P)),                       # lower triangular
    ('shift', _real, (_L, _P)),                        # of z, zd, force, biases with its columns
    ('outputs', _real, (_K, _P)), ('bend', _real, (_K, _P)),       # of readings, and their
    ('mean', _real, (_K,)),                                        # mean less that of the centre
    ('high', _real, (_L,)), ('low', _real, (_L,)),     # at two opposite points
    ('x', _real, (_L,)), ('forces', _real, (_G,)), ('point_s', _real, (_P,)),
    # correction by the readings that are there and credible
    ('count_kept', _integer), ('kept', _integer, (_K,)),           # their channels
    ('readings', _real, (_K,)),                        # of all channels, NaN for the others
    ('residual', _real, (_K,)), ('residual_covariance', _real, (_K, _K)), ('nis', _real),
    ('weighted', _real, (_K,)),
    ('left', _real, (_P, _P)),                         # what is left of factor is factor left
    ('step', _real, (_P,)),                            # of s, in columns of factor
    ('z0', _real, (_G,)), ('zd0', _real, (_G,)), ('force0', _real, (_G,)),     # before it
    ('bias0', _real, (MAX_BIASES,)),
])
