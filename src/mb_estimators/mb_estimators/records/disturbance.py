"""The record of the second stage of kinematic filters: forces that the model does not know."""

from mb_model.jit import REAL, RecordType
from mb_model.record import G

DISTURBANCE = RecordType(
    'mb_estimators.records.disturbance.DISTURBANCE', force=[
    ('bandwidth', REAL),                               # [rad/s]
    ('elapsed', REAL),                                 # since the last estimate [s]
    ('force', REAL, (G,)),                             # on each degree of freedom
    ('covariance', REAL, (G, G)),                      # of it
])
