"""The record of filters that predict by the matrix exponential, beside FILTER: of a sub-step."""

from mb_model.jit import REAL, RecordType
from mb_model.record import G

_S = 2 * G                # states z, zd

EXPONENTIAL = RecordType(
    'mb_estimators.records.exponential.EXPONENTIAL', step=[
    ('rates', REAL, (_S, _S)),                         # J h, balanced and shortened
    ('transition', REAL, (_S, _S)),
    ('noise', REAL, (_S, _S)),                         # of the plant
    ('scale', REAL, (_S,)),                            # of the states in these
    ('term', REAL, (_S, _S)), ('product', REAL, (_S, _S)),
])
