"""Records of parameters of the model that filters estimate, beside PARAMETER and FILTER.

A parameter p that has to stay positive is p0 exp(s), any other is p0 + unit s, where p0 is its
value in the mechanism file: filters estimate the numbers s, which are 0 at first.
"""

from mb_estimators.records.filter import B, K, L
from mb_model.jit import INTEGER, REAL, RecordType, sizes
from mb_model.record import PARAMETER, G, N

PARAMETERS = PARAMETER.array      # as compiled functions take them

(P,) = sizes('parameters')

_ESTIMATED = [
    ('count', INTEGER),
    ('positive', INTEGER, (P,)),                       # 1: stays so
    ('start', REAL, (P,)),                             # p0
    ('unit', REAL, (P,)),
    ('s', REAL, (P,)),                                 # estimated
    ('walk', REAL, (P,)),                              # growth of the variance of s per time
    ('s0', REAL, (P,)), ('q0', REAL, (N,)),            # before a correction
]

AUGMENTED = RecordType(
    'mb_estimators.records.parameter.AUGMENTED', estimated=_ESTIMATED, states=[
    ('first', INTEGER),                                # their first state of the filter
    # of gains and offsets of known forces: the degree of freedom, -1 for numbers of the model, and
    # the force by the parameter
    ('force_of', INTEGER, (P,)), ('by_parameter', REAL, (P,)),
    # derivatives by s at constant z and zd
    ('q_s', REAL, (N, P)), ('qd_s', REAL, (N, P)), ('qdd_s', REAL, (N, P)),
])

# The covariance of s is factor factor^T; see kernels.parameter_points.
DUAL = RecordType(
    'mb_estimators.records.parameter.DUAL', estimated=_ESTIMATED, points=[
    ('factor', REAL, (P, P)),                          # lower triangular
    ('shift', REAL, (L, P)),                           # of z, zd, force, biases with its columns
    ('outputs', REAL, (K, P)), ('bend', REAL, (K, P)),  # of readings, and their
    ('mean', REAL, (K,)),                              # mean less the centre's
    ('high', REAL, (L,)), ('low', REAL, (L,)),         # at two opposite points
    ('read_high', REAL, (K,)), ('read_low', REAL, (K,)),  # what sensors would read there
    ('x', REAL, (L,)), ('forces', REAL, (G,)), ('point_s', REAL, (P,)),
], correction=[     # by the readings that are there and credible
    ('count_kept', INTEGER), ('kept', INTEGER, (K,)),  # their channels
    ('readings', REAL, (K,)),                          # of all channels, NaN for the others
    ('residual', REAL, (K,)), ('residual_covariance', REAL, (K, K)), ('nis', REAL),
    ('weighted', REAL, (K,)),
    ('remaining', REAL, (P, P)), ('ones', REAL, (P,)),  # what is left of a unit covariance
    ('left', REAL, (P, P)),                            # what is left of factor is factor left
    ('step', REAL, (P,)),                              # of s, in columns of factor
    ('z0', REAL, (G,)), ('zd0', REAL, (G,)), ('force0', REAL, (G,)),  # before it
    ('bias0', REAL, (B,)),
])
