"""The record of steps by measured accelerations in stages, of kinematic filters."""

from mb_estimators.records.filter import L
from mb_model.jit import INTEGER, REAL, RecordType

STAGES = RecordType(
    'mb_estimators.records.stages.STAGES', scheme=[
    ('count', INTEGER),                                # of stages, 1, 2 or 4
    ('share', REAL, (4,)),                             # of the step at which a stage is
    ('weight', REAL, (4,)),                            # of its slope
], scratch=[
    ('x0', REAL, (L,)),                                # before the step
    ('slope', REAL, (L,)), ('sum', REAL, (L,)),        # of z, zd: of the last stage, weighed sum
    ('by_state', REAL, (L, L)), ('sum_by_state', REAL, (L, L)),    # their derivatives
    ('next_by_state', REAL, (L, L)),
])
