"""The record that compiled steps of filters in dependent coordinates work on, in place of FILTER.

The covariance is carried as its factor, P = factor factor^T: between the degrees of freedom and the
other coordinates, which constraints alone determine, variances differ too much for anything else.
"""

from mb_estimators.records.filter import B, K, L
from mb_model.jit import INTEGER, REAL, RecordType
from mb_model.record import G, N

_ROWS = K + 2 * N         # readings and constraints, of q and of qd

DEPENDENT = RecordType(
    'mb_estimators.records.dependent.DEPENDENT', states=[
    ('states', INTEGER),                               # l: motion + biases
    ('motion', INTEGER),                               # 2n: q, qd
    ('biases', INTEGER),                               # offsets of channels, the last states
    ('factor', REAL, (L, L)),                          # lower triangular, of the covariance
    ('acceleration_psd', REAL, (G,)),                  # q_c of each degree of freedom
    ('dependent_variance', REAL),                      # sigma_b^2, of the other coordinates
    ('as_published', INTEGER),                         # 1: nothing is closed, see the plugins
    ('tolerance', REAL),                               # of the constraints
    ('weakening', REAL), ('decay', REAL),              # noise of the constraints, see the plugins
    ('dt', REAL),                                      # longest step [s]
    ('bias_of', INTEGER, (K,)),                        # each channel's bias, or -1
    ('bias', REAL, (B,)),                              # estimated
    ('bias_walk', REAL, (B,)),                         # growth of their variances per time
    ('sensor_variance', REAL, (K,)),                   # of the noise of each channel
    ('variance', REAL, (K,)),                          # and of all noise in it
    ('gate', REAL),                                    # see kernels.gate; 0: none
], innovation=[     # of the k readings that are there
    ('count', INTEGER),                                # k
    ('present', INTEGER, (K,)),                        # their channels
    ('rejected_count', INTEGER), ('rejected', INTEGER, (K,)),
    ('residual', REAL, (K,)),                          # reading minus h
    ('residual_covariance', REAL, (K, K)),
    ('nis', REAL),
], correction=[     # by rows of equations: readings, constraints, or both
    ('H', REAL, (_ROWS, L)),                           # their derivatives by the states
    ('misfit', REAL, (_ROWS,)),                        # what they are wrong by
    ('noise', REAL, (_ROWS, _ROWS)),                   # lower factor of their noise
    ('weighted', REAL, (_ROWS,)),                      # misfit in standard deviations
    ('dx', REAL, (L,)),                                # correction of the states
    ('array', REAL, (_ROWS + L, _ROWS + L)),           # see kernels.array_correction
    ('h', REAL, (K,)),
    ('h_q', REAL, (N,)), ('h_qd', REAL, (N,)), ('h_qdd', REAL, (N,)),
], before=[     # a step or a correction
    ('t0', REAL), ('q0', REAL, (N,)), ('qd0', REAL, (N,)), ('qdd0', REAL, (N,)),
    ('bias0', REAL, (B,)),
    ('branch', REAL),                                  # of the mechanism, see accelerate
    ('factor0', REAL, (L, L)),
], read=[     # with the readings alone, before the constraints
    ('q1', REAL, (N,)), ('qd1', REAL, (N,)), ('factor1', REAL, (L, L)),
    ('bias1', REAL, (B,)),
])
