"""The records of the payload estimator's kernels, beside model, circuit and fluid.

Factors are assumed to be 1 and may be wrong: of the friction of each cylinder, then of the forces
that the mechanism without the unknown masses needs.
"""

import numpy as np

from mb_model.record import MAX_COORDINATES, MAX_INDEPENDENT
from mb_model.record.hydraulics import MAX_CYLINDERS, MAX_VALVES, MAX_VOLUMES

MASSES = MAX_INDEPENDENT  # k
FACTORS = MAX_CYLINDERS + 1
STATES = 3 * MAX_INDEPENDENT + MAX_VOLUMES + MAX_VALVES        # z, zd, zdd, p, U

_N, _G, _K, _F = MAX_COORDINATES, MAX_INDEPENDENT, MASSES, FACTORS
_integer, _real = np.int64, np.float64

INSTANT = np.dtype([
    ('masses', _integer),                              # k
    ('factors', _integer),                             # f
    ('unit_M', _real, (_K, _N, _N)),                   # see payload.unknown_masses
    ('unit_Q', _real, (_K, _N)),
    ('value', _real, (_K,)),                           # masses that the model has now [kg]
    ('start', _real, (_N,)),                           # position of the file
    ('age', _integer),                                 # of the derivatives in work.A and B
    # residual of the equations of motion at these masses, and its derivatives
    ('residual', _real, (_G,)),
    ('by_mass', _real, (_G, _K)), ('by_factor', _real, (_G, _F)), ('by_state', _real, (_G, STATES)),
    ('noise', _real, (_G, _G)),                        # covariance of the residual
    ('factor', _real, (_G, _G)),                       # its Cholesky factor
    ('moving', _integer, (MAX_CYLINDERS,)),            # faster than its transition velocity
    # the same over the deviation of the noise: all of (g) of them count alike
    ('white_residual', _real, (_G,)),
    ('white_by_mass', _real, (_G, _K)), ('white_by_factor', _real, (_G, _F)),
    # results of this instant alone
    ('raw', _real, (_K,)),                             # masses [kg]
    ('covariance', _real, (_K, _K)),                   # of raw, by the noise
    ('slope', _real, (_K, _F)),                        # of raw, by factor [kg]
    ('band', _real, (_K,)),                            # of raw without friction, by standing seals
    ('normal', _real, (_K, _K)),
    ('column', _real, (_G,)),
])

MASS_FILTER = np.dtype([
    # settings
    ('dt', _real), ('time_constant', _real), ('settling_time', _real), ('correlation_time', _real),
    ('longest_gap', _real),                            # [s]
    ('largest_deviation', _real), ('least_change', _real),         # [kg]
    ('alarm', _real),
    ('factor_deviation', _real, (_F,)),
    ('length', _integer),                              # rows of a ring
    # the stream
    ('stamp', _integer),                               # of the last instant [ns]
    ('started', _integer),
    ('settled', _real),                                # how long everything has moved [s]
    ('elapsed', _real),                                # and counted, since the start or a change
    # the estimate
    ('known', _integer),                               # whether there is one to compare with
    ('mass', _real, (_K,)), ('deviation', _real, (_K,)),           # [kg]
    ('spread', _real, (_K,)),                          # part of the deviation by the noise [kg]
    ('slope', _real, (_K, _F)),                        # of mass, by factor [kg]
    # low-pass: mass, slopes; variance, and covariance with the error of the last instant
    ('low', _real, (_K, 1 + _F)), ('variance', _real, (_K,)), ('shared', _real, (_K,)),
    # moving sums over a ring
    ('place', _integer), ('count', _integer),          # row that comes next; rows that count
    # detection of a change: towards more (0) and towards less (1)
    ('score', _real, (_K, 2)),                         # log of a likelihood ratio
    ('since', _real, (_K, 2)),                         # how long the score has not been zero [s]
    ('sum', _real, (_K, 2)),                           # of the masses since then, times time
    ('reported', _integer, (2,)),                      # stamp of the last event
])
