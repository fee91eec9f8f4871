"""The records of the kernels of forces from outside, beside model and work."""

from mb_model.jit import INTEGER, REAL, RecordType
from mb_model.record import CHARTS, G, N

DRIVES = RecordType(
    'mb_contact.external_force.observer_record.DRIVES', drives=[
    ('count', INTEGER),                                # d
    ('coordinate', INTEGER, (N,)),                     # on which each acts
    ('start', REAL, (N,)),                             # position of the file
    # orientations among the degrees of freedom, and where each has its three
    ('turns', INTEGER), ('turn', INTEGER, (CHARTS, 3)),
    ('follows', INTEGER),                              # whether their references are at the bodies
])

OBSERVER = RecordType(
    'mb_contact.external_force.observer_record.OBSERVER', settings=[
    ('law', INTEGER),                                  # see kernels.observer
    ('gain', REAL, (G,)),                              # [1/s]; of SLIDING_MODE [N/s or N m/s]
], stream=[
    ('force', REAL, (G,)),                             # the estimate
    ('gap', REAL, (G,)),                               # momentum less the one it follows by
    ('noted', INTEGER),                                # whether there is a last instant
    ('momentum', REAL, (G,)),                          # of the last instant,
    ('rate', REAL, (G,)),                              # its rate without drives,
    ('jacobian', REAL, (N, G)),                        # and rows of R of the drives
    ('new_momentum', REAL, (G,)), ('new_rate', REAL, (G,)),
])
