"""The record of the second stage of kinematic filters: forces that the model does not know."""

from mb_model.jit import INTEGER, REAL, RecordType
from mb_model.record import G

DISTURBANCE = RecordType(
    'mb_estimators.records.disturbance.DISTURBANCE', force=[
    ('bandwidth', REAL),                               # [rad/s], of an observer
    ('filters', INTEGER),                              # 1: by an EKF of forces
    ('walk', REAL),                                    # of its forces, variance per time
    ('elapsed', REAL),                                 # since the last estimate [s]
    ('force', REAL, (G,)),                             # on each degree of freedom
    ('covariance', REAL, (G, G)),                      # of it
], scratch=[
    ('total', REAL, (G, G)), ('factor', REAL, (G, G)),     # covariance of innovations, and its
    ('innovation', REAL, (G,)), ('gain', REAL, (G, G)),    # Cholesky factor
    ('corrected', REAL, (G, G)),
])
