"""The record of corrections that are linearised where they lead to, beside FILTER."""

from mb_estimators.records.filter import K, L
from mb_model.jit import INTEGER, REAL, RecordType
from mb_model.record import G

ITERATED = RecordType(
    'mb_estimators.records.iterated.ITERATED', settings=[
    ('most', INTEGER),                                 # linearisations of a correction
    ('settled', REAL),                                 # change of a step, in standard deviations
], prediction=[     # what the steps begin from
    ('force', REAL, (G,)), ('forces', REAL, (G,)),     # estimated, and all known ones
    # how readings fitted it
    ('residual', REAL, (K,)), ('residual_covariance', REAL, (K, K)), ('nis', REAL),
], step=[
    ('total', REAL, (L,)),                             # from there to where it is linearised
    ('linearisations', INTEGER),                       # of the last correction
    ('unsettled', INTEGER),                            # corrections whose steps did not settle
])
