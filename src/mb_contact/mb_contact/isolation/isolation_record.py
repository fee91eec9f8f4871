"""The records of the isolation's kernels, beside model and workspace.

Points, directions and forces have three numbers, on the plane the third is 0.
"""

import numpy as np

from mb_model.jit import INTEGER, REAL, RecordType, sizes
from mb_model.record import G

WAYS, WINDOWS = sizes('ways windows')       # of the force at a place; of a contact
COORDINATES, STACKED = sizes('coordinates stacked')      # q; numbers of the forces of all windows
OPEN, UNKNOWN = sizes('open unknown')       # what a place leaves open; this and all sizes

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
    ('share', REAL, (WAYS, 3)),                        # of each axis in the direction of the force
    ('sliding', REAL, (WAYS, 2)),                      # velocity along the tangents [m/s]
    ('prior', REAL, (WAYS,)),                          # of each way, without its hypothesis
    ('misfit', REAL, (WAYS,)),                         # square of deviations, unexplained
    ('weight', REAL, (WAYS,)),
    ('found', REAL, (WAYS,)), ('left', REAL, (WAYS, OPEN)),     # size [N] and what is left open
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
    ('correlation_time', REAL), ('lag', REAL), ('window', REAL),  # [s]
    ('model_uncertainty', REAL), ('surroundings_speed', REAL),
    ('imbalance', REAL), ('settling', REAL),           # of what is clamped; [s]
    ('unforeseen', REAL),                              # probability that nothing of this holds
    ('windows', INTEGER),                              # that count, the latest ones
    ('way', REAL, (WAYS, 2)),                          # cosine and sine of the angle to the normal
    ('surroundings', REAL, (WAYS, 2)),                 # their velocity along the tangents [m/s]
    ('way_prior', REAL, (WAYS,)),                      # probability
    ('way_spread', REAL), ('stuck_spread', REAL),      # deviations of what each stands for [rad]
], contact=[     # one contact, its forces in windows of time, the oldest first
    ('stamp', INTEGER),                                # of the last instant [ns]
    ('count', INTEGER),                                # of windows so far
    ('elapsed', REAL),                                 # since the contact began [s]
    ('approach', REAL, (G,)),                          # zd that led to the first instant
    ('latest', REAL, (G,)),                            # the last force
    ('time', REAL, (WINDOWS,)),                        # that a window counts [s]
    ('until', REAL, (WINDOWS,)),                       # its end, since the contact began [s]
    ('force', REAL, (WINDOWS, G)),                     # mean over a window
    ('spread', REAL, (WINDOWS, G, G)),                 # covariance of force times time
    ('zd', REAL, (WINDOWS, G)),                        # in the middle of it
    ('placed', INTEGER, (WINDOWS,)),                   # whether q is known,
    ('q', REAL, (WINDOWS, COORDINATES)),               # there
], scratch=[
    ('here', REAL, (COORDINATES,)),                    # the present q
    ('metric', REAL, (G, G)), ('scaled', REAL, (WINDOWS, G)),   # by the mass matrix
    ('factor', REAL, (STACKED, STACKED)),              # of the covariance of all forces
    ('white', REAL, (STACKED,)), ('white_latest', REAL, (G,)),  # forces over it, the last one
    ('ratio', REAL, (WINDOWS,)),                       # size of the force, over that of the latest
    # of the place that is judged, in each window
    ('share', REAL, (WINDOWS, WAYS, 3)),               # of each axis in the direction of the force
    ('slid', REAL, (WINDOWS, WAYS, 2)),                # way along the tangents since the first [m]
    ('effect', REAL, (WINDOWS, 3, STACKED)),           # effects on z, over the factor
    ('moved_effect', REAL, (WINDOWS, 2, 3, STACKED)),
    ('carried_effect', REAL, (WINDOWS, 3, STACKED)),
    # of one of its ways
    ('left_open', REAL, (WINDOWS, UNKNOWN, STACKED)),  # effects per N of what is left open
    ('sizes', REAL, (WINDOWS,)), ('moved', REAL, (UNKNOWN,)),   # found: of the force [N], of these
    ('target', REAL, (STACKED,)),                      # forces without what is constant
    ('columns', REAL, (UNKNOWN, STACKED)),             # effects of what is unknown, whitened
    ('normal', REAL, (UNKNOWN, UNKNOWN)), ('product', REAL, (UNKNOWN,)),
])
