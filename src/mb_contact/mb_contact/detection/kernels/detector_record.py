"""The record of the contact detector's kernels, beside the records of external_force.

Methods are in the order of settings.METHODS.  Errors are possible errors of the model: the
inertia of each body, in the plane or in space, then each of its forces; their number is e.
"""

from mb_model.jit import INTEGER, REAL, RecordType
from mb_model.record import BODIES, ELEMENTS, FORCES, SOLIDS, G, N

METHOD_COUNT = 2
_BODIES = BODIES + SOLIDS
_ERRORS = _BODIES + FORCES + ELEMENTS

DETECTOR = RecordType(
    'mb_contact.detection.kernels.detector_record.DETECTOR', settings=[
    ('runs', INTEGER, (METHOD_COUNT,)),
    ('threshold', REAL, (METHOD_COUNT, G)),            # [N or N m]
    ('largest_deviation', REAL), ('release', REAL),    # shares of the threshold
    ('holding_time', INTEGER), ('longest_gap', INTEGER),  # [ns]
    ('settling_time', INTEGER),                        # [ns]
    ('body_deviation', REAL), ('force_deviation', REAL),  # as shares
    ('torque_deviation', REAL),                        # [N or N m]
    # mass matrix of each body's two points, in space of its origin and axes
    ('inertia', REAL, (_BODIES, 4, 4)),
], stream=[
    ('started', INTEGER),
    ('stamp', INTEGER),                                # the newest [ns]
    ('usable', INTEGER),                               # of the newest usable state [ns]
    ('begun', INTEGER),                                # of the first since the last gap [ns]
], uncertainty=[     # of the forces
    ('age', INTEGER),                                  # of the derivatives by z and zd
    ('by_state', REAL, (G, 3 * G)),                    # of the direct force, by z, zd, zdd
    ('by_error', REAL, (_ERRORS, G)),                  # of the direct force, by each error
    ('lagged', REAL, (_ERRORS, G)),                    # the same of the observer's
    ('load', REAL, (N,)),                              # scratch
    ('product', REAL, (G, 3 * G)), ('lift', REAL, (4, 3)),
], results=[
    ('estimated', INTEGER, (METHOD_COUNT,)),           # whether this instant gave the force,
    ('seen', INTEGER, (METHOD_COUNT,)),                # stamp of the newest that did [ns]
    ('force', REAL, (METHOD_COUNT, G)),                # [N or N m]
    ('known', INTEGER, (METHOD_COUNT,)),               # whether its covariance is
    ('covariance', REAL, (METHOD_COUNT, G, G)),
    ('exceeds', INTEGER, (METHOD_COUNT,)),
    ('calm', INTEGER),                                 # whether all forces are below release
    ('loud', INTEGER),                                 # stamp at which they were not [ns]
    ('detected', INTEGER),
    ('since', INTEGER),                                # stamp [ns]
    ('first', INTEGER),                                # method that detected it
])
