"""The record of filters that predict by the matrix exponential, beside FILTER: of a sub-step."""

from mb_estimators.records.parameter import P
from mb_model.jit import INTEGER, REAL, RecordType
from mb_model.record import G

_S = 2 * G + P            # states z, zd, parameters

EXPONENTIAL = RecordType(
    'mb_estimators.records.exponential.EXPONENTIAL', parameters=[     # of AUGMENTED
    ('count', INTEGER), ('first', INTEGER),            # their number, their first state
    ('walk', REAL, (P,)),                              # growth of their variances per time
    ('zdd_s', REAL, (G, P)),                           # derivatives of the accelerations
], step=[
    ('rates', REAL, (_S, _S)),                         # J h, balanced and shortened
    ('transition', REAL, (_S, _S)),
    ('noise', REAL, (_S, _S)),                         # of the plant
    ('scale', REAL, (_S,)),                            # of the states in these
    ('term', REAL, (_S, _S)), ('product', REAL, (_S, _S)),
])
