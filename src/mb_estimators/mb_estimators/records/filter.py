"""The record that compiled filter steps work on, beside the model and its workspace.

It has fixed maximum sizes, so one compilation serves every mechanism and set of sensors.
"""

import numpy as np

from mb_model.record import MAX_COORDINATES, MAX_INDEPENDENT

MAX_CHANNELS = 24
MAX_BIASES = 12           # offsets of sensors that a filter estimates
MAX_STATES = 3 * MAX_INDEPENDENT + MAX_BIASES

_L, _K, _N, _G, _B = MAX_STATES, MAX_CHANNELS, MAX_COORDINATES, MAX_INDEPENDENT, MAX_BIASES
_integer, _real = np.int64, np.float64

FILTER = np.dtype([
    ('states', _integer),                              # l: motion + biases
    ('motion', _integer),                              # 2g, or 3g with acceleration errors
    ('biases', _integer),                              # offsets of channels, the last states
    ('direct', _integer),                              # 1: states z, zd, zdd; 0: their errors
    ('x', _real, (_L,)),                               # z, zd, zdd, biases
    ('P', _real, (_L, _L)),                            # covariance of the states
    ('acceleration_psd', _real, (_G,)),                # q_c of each degree of freedom
    ('acceleration_walk', _real, (_G,)),               # of acceleration errors, variance per time
    ('transition', _real, (_L, _L)),                   # f_x of the last step
    ('force', _real, (_G,)),                           # estimated, on each degree of freedom
    ('dt', _real),                                     # longest step [s]
    ('bias_of', _integer, (_K,)),                      # each channel's bias, or -1
    ('bias', _real, (_B,)),                            # estimated
    ('bias_walk', _real, (_B,)),                       # growth of their variances per time
    ('sensor_variance', _real, (_K,)),                 # of the noise of each channel
    ('variance', _real, (_K,)),                        # and of all noise in it
    ('gate', _real),                                   # see kernels.gate; 0: none
    # correction by the k readings that are there
    ('count', _integer),                               # k
    ('present', _integer, (_K,)),                      # their channels
    ('rejected_count', _integer), ('rejected', _integer, (_K,)),
    ('residual', _real, (_K,)),                        # reading minus h, the innovation
    ('residual_covariance', _real, (_K, _K)),
    ('residual_factor', _real, (_K, _K)),              # its Cholesky factor
    ('nis', _real),
    ('weighted', _real, (_K,)),                        # residual_covariance^-1 residual
    ('H', _real, (_K, _L)), ('gain', _real, (_L, _K)),
    ('dx', _real, (_L,)),                              # correction of the states
    ('h', _real, (_K,)),
    ('h_q', _real, (_N,)), ('h_qd', _real, (_N,)), ('h_qdd', _real, (_N,)),
    ('matrix1', _real, (_L, _L)), ('matrix2', _real, (_L, _L)), ('matrix3', _real, (_L, _L)),
    # the step before a correction, which the continuous filter integrates anew
    ('step', _real), ('begin_z', _real, (_G,)), ('begin_zd', _real, (_G,)),
    ('begin_zdd', _real, (_G,)), ('begin_bias', _real, (_B,)),
    ('innovation', _real, (_K,)), ('readings', _real, (_K,)), ('P0', _real, (_L, _L)),
    ('feedback', _real, (_L, _K)), ('residual_x', _real, (_L,)),
    ('tangent', _real, (_L, _L)), ('pivots', _integer, (_L,)),
    ('q0', _real, (_N,)), ('z0', _real, (_G,)), ('zd0', _real, (_G,)),     # before a correction
])
