"""The record of filters with coloured noise, beside FILTER: one entry for each of its states."""

from mb_estimators.records.filter import B
from mb_model.jit import INTEGER, REAL, RecordType

SHAPING = RecordType(
    'mb_estimators.records.shaping.SHAPING', noise=[
    ('count', INTEGER),                                # coloured noises, the last states
    ('first', INTEGER),                                # their place among the biases
    ('disturbs', INTEGER, (B,)),                       # a degree of freedom, or -1: a sensor
    ('variance', REAL, (B,)),                          # of what comes in with a step dt
    ('weight', REAL, (B,)),                            # W: what is left of it after a step dt
    ('window', INTEGER),                               # readings that W is learnt by; 0: it stays
    ('before', REAL, (B,)),                            # normalised correction of the reading before
    ('whole', INTEGER),                                # 1: W changes at the end of a window alone
    ('taken', INTEGER), ('products', REAL, (B,)),      # corrections of this window, and their sum
])
