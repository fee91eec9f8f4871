"""The record of the continuous filters as published, beside FILTER or DEPENDENT."""

from mb_estimators.records.filter import K, L
from mb_model.jit import INTEGER, REAL, RecordType

_ONE, _SQUARE = (L,), (L, L)      # states: motion, then biases

KALMAN_BUCY = RecordType(
    'mb_estimators.records.kalman_bucy.KALMAN_BUCY', states=[
    ('P', REAL, _SQUARE),                              # covariance of the states
    ('x', REAL, _ONE),                                 # the states
    ('rate', REAL, _ONE),                              # their derivative without feedback
    ('pull', REAL, _ONE),                              # and the feedback K (o - h)
    ('f', REAL, _SQUARE),                              # derivative of the rate by the states
    ('information', REAL, _SQUARE),                    # H^T R^-1 H of the readings
    ('density', REAL, _ONE),                           # of the plant noise, its diagonal
    ('plain', INTEGER),                                # 1: iterate by the tangent (26)
], begin=[     # the same where the last step began
    ('step', REAL),                                    # its length [s]; 0: there is none
    ('begin_P', REAL, _SQUARE), ('begin_x', REAL, _ONE),
    ('begin_rate', REAL, _ONE),                        # with feedback
    ('begin_f', REAL, _SQUARE), ('begin_information', REAL, _SQUARE),
], correction=[
    ('predicted_P', REAL, _SQUARE),
    ('feedback', REAL, (L, K)),                        # K = P H^T R^-1
    ('missing', REAL, _ONE), ('tangent', REAL, _SQUARE), ('pivots', INTEGER, (2 * L,)),
    ('hamiltonian', REAL, (2 * L, 2 * L)), ('columns', REAL, (L, 2 * L)),
])
