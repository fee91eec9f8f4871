"""The records of the isolation's kernels, beside model and workspace.

Points, directions and forces have three numbers, on the plane the third is 0.
"""

import numpy as np

from mb_model.jit import INTEGER, REAL, RecordType, sizes
from mb_model.record import G

(WAYS,) = sizes('ways')       # directions of the force at a place
COLUMNS = 4                   # things that a place leaves open, at most

# The frame of a body: its origin and its axes x, y, z, at a state.
FRAME = RecordType(
    'mb_contact.isolation.isolation_record.FRAME', state=[
    ('vector', REAL, (4, 3)),
    ('by_z', REAL, (4, 3, G)),                         # its velocity by zd
])

# A place where a mechanism may be touched, or two that clamp something with forces of one size.
PLACE = RecordType(
    'mb_contact.isolation.isolation_record.PLACE', surface=[
    ('hypothesis', INTEGER),                           # that it belongs to
    ('contacts', INTEGER),                             # 1, or 2
    ('body', INTEGER, (2,)),
    ('area', REAL),                                    # of the surface, over that of others
    ('spread', REAL, (2,)),                            # deviations of what it stands for [m],
    ('curvature', REAL, (2,)),                         # along the tangents, and of these [1/m]
    ('middle', REAL, (2, 3)), ('radius', REAL, (2,)),  # of two legs that clamp, where they do [m]
    ('leg', REAL, (2, 3)),                             # direction of each, away from the joint
    # in the frame of the body: the place [m], and at a touch the normal inwards and tangents
    ('at', REAL, (2, 3)), ('side', REAL, (2, 3, 3)),
], state=[     # at a state
    ('point', REAL, (2, 3)), ('axes', REAL, (2, 3, 3)),
    ('effect', REAL, (3, G)),                          # of unit forces along each axis, on z
    ('moved_effect', REAL, (2, 3, G)),                 # their change with the place, per m
    ('carried_effect', REAL, (3, G)),                  # of unit forces that carry what is clamped
    ('prior', REAL, (WAYS,)),                          # of each way, without its hypothesis
    ('share', REAL, (WAYS, 3)),                        # of each axis in the direction of the force
    ('misfit', REAL, (WAYS,)),                         # square of deviations, unexplained
    ('weight', REAL, (WAYS,)),
    ('size', REAL, (WAYS,)), ('size_variance', REAL, (WAYS,)),  # of the latest force [N, N^2]
])

HYPOTHESIS = np.dtype([
    ('number', INTEGER),
    ('prior', REAL),                                   # probability before anything is known
    ('share', REAL),                                   # sum of the priors of its places
    ('probability', REAL),
    ('point', REAL, (2, 3)), ('force', REAL, (2, 3)),
    ('point_covariance', REAL, (2, 3, 3)), ('force_covariance', REAL, (2, 3, 3)),
])

EVIDENCE = RecordType(
    'mb_contact.isolation.isolation_record.EVIDENCE', settings=[
    ('correlation_time', REAL), ('lag', REAL), ('memory', REAL),  # [s]
    ('model_uncertainty', REAL), ('surroundings_speed', REAL),
    ('imbalance', REAL), ('settling', REAL),           # of what is clamped; [s]
    ('way', REAL, (WAYS, 3)),                          # directions: normal and two tangents
    ('way_spread', REAL),                              # deviation of what each stands for [rad]
    ('way_turn', REAL),                                # its angle about the normal, in space [rad]
], contact=[     # one contact
    ('stamp', INTEGER),                                # of the last instant [ns]
    ('time', REAL),                                    # that the mean counts, 0: none yet [s]
    ('elapsed', REAL),                                 # since the contact began [s]
    ('approach', REAL, (G,)),                          # zd that led to the first instant
    ('zd', REAL, (G,)),                                # of the latest instant
    ('force', REAL, (G,)),                             # mean over the instants
    ('spread', REAL, (G, G)),                          # covariance of force times time
    ('latest', REAL, (G,)),
], scratch=[
    ('factor', REAL, (G, G)),
    ('white', REAL, (G,)), ('white_latest', REAL, (G,)),
    ('columns', REAL, (COLUMNS, G)),                   # effects of what a place leaves open
    ('widening', REAL, (COLUMNS, COLUMNS)), ('products', REAL, (3, COLUMNS)),
])
