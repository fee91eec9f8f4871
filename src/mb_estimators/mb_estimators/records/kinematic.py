"""The record of a filter of motion alone, beside FILTER, whose x and P have its states.

The states are z, zd, zdd, any higher derivatives, and biases.
"""

from mb_estimators.records.filter import B, K, L
from mb_model.jit import INTEGER, REAL, RecordType
from mb_model.record import G, N

KINEMATIC = RecordType(
    'mb_estimators.records.kinematic.KINEMATIC', states=[
    ('offsets', INTEGER),                              # biases among what is behind the motion
    ('scales', INTEGER), ('first_scale', INTEGER),     # sensitivities there: how many, from where
    ('target', INTEGER, (B,)), ('source', INTEGER, (B,)),      # channel that has it, and of which
], correction=[
    ('x0', REAL, (L,)),                                # the prediction that a correction begins at
    ('q0', REAL, (N,)), ('z0', REAL, (G,)),            # and where the mechanism is there
    # how readings fitted it, while the correction goes on to better places to linearise at
    ('residual', REAL, (K,)), ('residual_covariance', REAL, (K, K)), ('nis', REAL),
    ('row', INTEGER, (K,)),                            # of each channel that is present, or -1
])
