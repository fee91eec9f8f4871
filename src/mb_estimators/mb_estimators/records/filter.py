"""Records that compiled filter steps work on, beside the model and its workspace."""

import numpy as np

from mb_model.jit import INTEGER, REAL, RecordType, sizes, sizes_of
from mb_model.record import G, N

BLOCK = 4                 # columns that kernels of the exponential multiply at a time

# states, and room beside them; channels of sensors; what is behind the motion among the states
L, K, B = sizes('states channels biases')

FILTER = RecordType(
    'mb_estimators.records.filter.FILTER', states=[
    ('states', INTEGER),                               # l: motion + biases
    ('motion', INTEGER),                               # 2g, or 3g with acceleration errors
    ('biases', INTEGER),                               # states behind it: offsets, mountings
    ('direct', INTEGER),                               # 1: states z, zd, zdd; 0: their errors
    ('x', REAL, (L,)),                                 # z, zd, zdd, biases
    ('P', REAL, (L, L)),                               # covariance of the states
    ('acceleration_psd', REAL, (G,)),                  # q_c of each degree of freedom
    ('acceleration_walk', REAL, (G,)),                 # of acceleration errors, variance per time
    ('transition', REAL, (L, L)),                      # f_x of the last step
    ('force', REAL, (G,)),                             # estimated, on each degree of freedom
    ('dt', REAL),                                      # longest step [s]
    ('bias_of', INTEGER, (K,)),                        # each channel's bias, or -1
    ('bias', REAL, (B,)),                              # estimated
    ('bias_walk', REAL, (B,)),                         # growth of their variances per time
    ('mountings', INTEGER),                            # channels that are turned, see kernels
    ('mounting_of', INTEGER, (K,)),                    # where its rotation begins in bias, or -1
    ('mounting_axis', INTEGER, (K,)),                  # 0, 1, 2: x, y, z
    ('sensor_variance', REAL, (K,)),                   # of the noise of each channel
    ('variance', REAL, (K,)),                          # and of all noise in it
    ('gate', REAL),                                    # see kernels.gate; 0: none
], correction=[     # by the k readings that are there
    ('count', INTEGER),                                # k
    ('present', INTEGER, (K,)),                        # their channels
    ('rejected_count', INTEGER), ('rejected', INTEGER, (K,)),
    ('residual', REAL, (K,)),                          # reading minus h, the innovation
    ('residual_covariance', REAL, (K, K)),
    ('residual_factor', REAL, (K, K)),                 # its Cholesky factor
    ('nis', REAL),
    ('weighted', REAL, (K,)),                          # residual_covariance^-1 residual
    ('H', REAL, (K, L)), ('gain', REAL, (L, K)),
    ('crossed', REAL, (K, L)),                         # H P, or P_xy^T
    ('jump_effects', REAL, (G, K)), ('jump', REAL, (L,)),      # see kernels.acceleration_jump
    ('dx', REAL, (L,)),                                # correction of the states
    ('h', REAL, (K,)),
    ('h_q', REAL, (N,)), ('h_qd', REAL, (N,)), ('h_qdd', REAL, (N,)),
    ('mounted_h', REAL, (K,)),                         # of sensors with mountings, without biases
    ('mounted_q', REAL, (N,)), ('mounted_qd', REAL, (N,)), ('mounted_qdd', REAL, (N,)),
], scratch=[
    ('left', REAL, (L, L)),                            # what is multiplied from the left
    ('product', REAL, (L, L)),                         # what comes of that, or is factorised
    ('corrected', REAL, (L, L)),                       # a covariance, until it is taken for P
    ('variances', REAL, (L,)),                         # by which that is regularised
], step=[     # before a correction, which the continuous filter integrates anew
    ('step', REAL), ('begin_z', REAL, (G,)), ('begin_zd', REAL, (G,)),
    ('begin_zdd', REAL, (G,)), ('begin_bias', REAL, (B,)),
    ('innovation', REAL, (K,)), ('readings', REAL, (K,)), ('P0', REAL, (L, L)),
    ('feedback', REAL, (L, K)), ('residual_x', REAL, (L,)),
    ('tangent', REAL, (L, L)), ('pivots', INTEGER, (L,)),
    ('x0', REAL, (L,)),                                # before a correction
    ('q0', REAL, (N,)), ('z0', REAL, (G,)), ('zd0', REAL, (G,)),
])


def filter_sizes(model: np.ndarray, channels: int, states: int, behind: int) -> dict[str, int]:
    """Return the sizes of the records of a filter.

    channels: of sensors; states: all; behind: states that are no motion.  Kernels use matrices of
    states for matrices of z, zd, zdd, too.
    """
    own = sizes_of(model)
    most = max(states, 3 * own['independent'] + behind)
    return own | {'states': -(-most // BLOCK) * BLOCK, 'channels': channels, 'biases': behind}


def motion_record(model: np.ndarray, channels: int) -> np.ndarray:
    """Return a FILTER of z, zd, zdd without biases, for what asks how channels depend on them."""
    g = sizes_of(model)['independent']
    record = FILTER.of(filter_sizes(model, channels, 3 * g, 0))
    record['motion'] = record['states'] = 3 * g
    record['bias_of'] = -1
    return record


_ROWS = K + 2 * N         # readings and constraints, of q and of qd

# In dependent coordinates, in place of FILTER.  The covariance is carried as its factor, P = factor
# factor^T: between the degrees of freedom and the other coordinates, which constraints alone
# determine, variances differ too much for anything else.
DEPENDENT = RecordType(
    'mb_estimators.records.filter.DEPENDENT', states=[
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


(POINTS,) = sizes('points')

# Sigma points, beside FILTER.
SIGMA = RecordType(
    'mb_estimators.records.filter.SIGMA', points=[
    ('count', INTEGER),                                # sigma points; the first is the centre
    ('unit', REAL, (POINTS, L)),                       # of zero mean and unit covariance
    ('mean_weight', REAL, (POINTS,)), ('covariance_weight', REAL, (POINTS,)),
    ('square_root', INTEGER),                          # 1: factor is carried on, not P
    ('factor', REAL, (L, L)),                          # lower triangular, P = factor factor^T
    ('x', REAL, (L,)), ('q', REAL, (N,)),              # where they were drawn
    ('next_q', REAL, (N,)),                            # of the centre, a step later
    ('points', REAL, (POINTS, L)),
    ('reuse', INTEGER),                                # 1: points of a step serve its correction
    ('stepped', INTEGER),                              # 1: they are deviations from the state
    ('mean', REAL, (L,)),
    ('h', REAL, (K,)),                                 # what sensors would read: mean
    ('outputs', REAL, (POINTS, K)),                    # and what the points deviate from it
    ('array', REAL, (K + L, POINTS + K + L)),
], accelerations=[     # of filters with accelerations as states, which step from x and q
    ('zdd', REAL, (G,)),                               # state
    ('begin_zdd', REAL, (G,)),                         # at the start of the step
    ('step', REAL),                                    # its length
    ('acceleration_variance', REAL, (G,)),
    ('cross', REAL, (L, K)),                           # P_xy, then the gain
])
