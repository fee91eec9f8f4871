"""The record of the continuous filter with a penalty model, beside DEPENDENT."""

from mb_estimators.records.filter import K, L
from mb_model.jit import INTEGER, REAL, RecordType
from mb_model.record import N

PENALTY_STEP = RecordType(
    'mb_estimators.records.penalty.PENALTY_STEP', derivatives=[
    ('qdd_q', REAL, (N, N)), ('qdd_qd', REAL, (N, N)),  # dqdd/dq, dqdd/dqd
], step=[     # the last one, which a correction integrates anew
    ('step', REAL),                                    # its length [s]
    ('begin_q', REAL, (N,)), ('begin_qd', REAL, (N,)), ('begin_qdd', REAL, (N,)),
    ('feedback', REAL, (L, K)),                        # P H^T R^-1
    ('missing', REAL, (L,)), ('tangent', REAL, (L, L)), ('pivots', INTEGER, (L,)),
])
