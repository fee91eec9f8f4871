"""The record of the contact detector's kernels, beside the records of external_force.

Methods are in the order of settings.METHODS.  Errors are possible errors of the model: the
inertia of each body, then each of its forces; their number is e.
"""

import numpy as np

from mb_model.record import MAX_BODIES, MAX_COORDINATES, MAX_FORCES, MAX_INDEPENDENT

ERRORS = MAX_BODIES + MAX_FORCES
METHOD_COUNT = 2

_N, _G, _E, _K = MAX_COORDINATES, MAX_INDEPENDENT, ERRORS, METHOD_COUNT
_integer, _real = np.int64, np.float64

DETECTOR = np.dtype([
    # settings
    ('runs', _integer, (_K,)),
    ('threshold', _real, (_K, _G)),                    # [N or N m]
    ('largest_deviation', _real), ('release', _real),  # shares of the threshold
    ('holding_time', _integer), ('longest_gap', _integer),         # [ns]
    ('body_deviation', _real), ('force_deviation', _real),         # as shares
    ('torque_deviation', _real),                       # [N or N m]
    ('inertia', _real, (MAX_BODIES, 4, 4)),            # mass matrix of each body's two points
    # the stream
    ('started', _integer),
    ('stamp', _integer),                               # the newest [ns]
    ('usable', _integer),                              # of the newest usable state [ns]
    ('begun', _integer),                               # of the first since the last gap [ns]
    # how uncertain the forces are
    ('age', _integer),                                 # of the derivatives by z and zd
    ('by_state', _real, (_G, 3 * _G)),                 # of the direct force, by z, zd, zdd
    ('by_error', _real, (_E, _G)),                     # of the direct force, by each error
    ('lagged', _real, (_E, _G)),                       # the same of the observer's
    ('load', _real, (_N,)),                            # scratch
    ('column', _real, (3 * _G,)),
    # results
    ('estimated', _integer, (_K,)),                    # whether this instant gave the force,
    ('seen', _integer, (_K,)),                         # stamp of the newest that did [ns]
    ('force', _real, (_K, _G)),                        # [N or N m]
    ('known', _integer, (_K,)),                        # whether its covariance is
    ('covariance', _real, (_K, _G, _G)),
    ('exceeds', _integer, (_K,)),
    ('calm', _integer),                                # whether all forces are below release
    ('loud', _integer),                                # stamp at which they were not [ns]
    ('detected', _integer),
    ('since', _integer),                               # stamp [ns]
    ('first', _integer),                               # method that detected it
])
