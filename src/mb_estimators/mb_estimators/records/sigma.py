"""The record of sigma points, beside FILTER, of the unscented filters."""

from mb_estimators.records.filter import K, L
from mb_model.jit import INTEGER, REAL, RecordType, sizes
from mb_model.record import G, N

(POINTS,) = sizes('points')

SIGMA = RecordType(
    'mb_estimators.records.sigma.SIGMA', points=[
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
