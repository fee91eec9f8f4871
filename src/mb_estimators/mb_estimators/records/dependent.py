"""The record that compiled steps of filters in dependent coordinates work on, in place of FILTER.

The covariance is carried as its factor, P = factor factor^T: between the degrees of freedom and the
other coordinates, which constraints alone determine, variances differ too much for anything else.
"""

import numpy as np

from mb_estimators.records.filter import MAX_BIASES, MAX_CHANNELS
from mb_model.record import MAX_COORDINATES, MAX_INDEPENDENT

MAX_STATES = 2 * MAX_COORDINATES + MAX_BIASES
MAX_ROWS = MAX_CHANNELS + 2 * MAX_COORDINATES      # readings and constraints, of q and of qd

_L, _K, _N, _G, _R = MAX_STATES, MAX_CHANNELS, MAX_COORDINATES, MAX_INDEPENDENT, MAX_ROWS
_B = MAX_BIASES
_integer, _real = np.int64, np.float64

DEPENDENT = np.dtype([
    ('states', _integer),                              # l: motion + biases
    ('motion', _integer),                              # 2n: q, qd
    ('biases', _integer),                              # offsets of channels, the last states
    ('factor', _real, (_L, _L)),                       # lower triangular, of the covariance
    ('acceleration_psd', _real, (_G,)),                # q_c of each degree of freedom
    ('dependent_variance', _real),                     # sigma_b^2, of the other coordinates
    ('as_published', _integer),                        # 1: nothing is closed, see the plugins
    ('tolerance', _real),                              # of the constraints
    ('weakening', _real), ('decay', _real),            # noise of the constraints, see the plugins
    ('dt', _real),                                     # longest step [s]
    ('bias_of', _integer, (_K,)),                      # each channel's bias, or -1
    ('bias', _real, (_B,)),                            # estimated
    ('bias_walk', _real, (_B,)),                       # growth of their variances per time
    ('sensor_variance', _real, (_K,)),                 # of the noise of each channel
    ('variance', _real, (_K,)),                        # and of all noise in it
    ('gate', _real),                                   # see kernels.gate; 0: none
    # the innovation of the k readings that are there
    ('count', _integer),                               # k
    ('present', _integer, (_K,)),                      # their channels
    ('rejected_count', _integer), ('rejected', _integer, (_K,)),
    ('residual', _real, (_K,)),                        # reading minus h
    ('residual_covariance', _real, (_K, _K)),
    ('nis', _real),
    # a correction by rows of equations: readings, constraints, or both
    ('H', _real, (_R, _L)),                            # their derivatives by the states
    ('misfit', _real, (_R,)),                          # what they are wrong by
    ('noise', _real, (_R, _R)),                        # lower factor of their noise
    ('weighted', _real, (_R,)),                        # misfit in standard deviations
    ('dx', _real, (_L,)),                              # correction of the states
    ('array', _real, (_R + _L, _R + _L)),              # see kernels.array_correction
    ('h', _real, (_K,)),
    ('h_q', _real, (_N,)), ('h_qd', _real, (_N,)), ('h_qdd', _real, (_N,)),
    # before a step or a correction
    ('t0', _real), ('q0', _real, (_N,)), ('qd0', _real, (_N,)), ('qdd0', _real, (_N,)),
    ('bias0', _real, (_B,)),
    ('branch', _real),                                 # of the mechanism, see accelerate
    ('factor0', _real, (_L, _L)),
    # with the readings alone, before the constraints
    ('q1', _real, (_N,)), ('qd1', _real, (_N,)), ('factor1', _real, (_L, _L)),
    ('bias1', _real, (_B,)),
])
