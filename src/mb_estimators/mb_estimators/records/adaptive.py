"""The record of filters that estimate the noise of plant and sensors, beside FILTER."""

from mb_estimators.records.filter import K
from mb_model.jit import INTEGER, REAL, RecordType
from mb_model.record import G

ADAPTIVE = RecordType(
    'mb_estimators.records.adaptive.ADAPTIVE', noise=[
    ('plant', INTEGER), ('sensors', INTEGER),          # 1: adapt this noise
    ('window', INTEGER),                               # readings that count
    ('elapsed', REAL),                                 # since the last correction [s]
    ('corrections', INTEGER),                          # that informed about the plant
    ('taken', INTEGER, (K,)),                          # readings of each channel
    ('smallest_walk', REAL, (G,)),                     # floors, above 0
    ('smallest_variance', REAL, (K,)),
    ('drift', REAL, (G,)),                             # mean of the plant noise per time
    ('centred', INTEGER, (K,)),                        # 1: the mean of this noise is estimated
    ('mean', REAL, (K,)),                              # of the noise of each channel
    ('shape', REAL, (K,)),                             # of each channel's inverse-gamma variance
    ('scale', REAL, (K,)),
    ('spread', REAL, (K,)),                            # scale before the present readings
    ('nominal', REAL),                                 # readings that a prediction counts as
])
