"""The records of the isolation's kernels, beside model and workspace.

Points, directions and forces have three numbers, on the plane the third is 0.
"""

import numpy as np

from mb_model.jit import INTEGER, REAL, RecordType, sizes
from mb_model.record import G

MODES, WINDOWS = sizes('modes windows')     # of the force at a candidate; of a contact
COORDINATES, STACKED = sizes('coordinates stacked')      # q; numbers of the forces of all windows
OPEN, UNKNOWN = sizes('open unknown')       # what a candidate leaves open; this and all sizes

# The frame of a body: its origin and its axes x, y, z, at a state.
FRAME = RecordType(
    'mb_contact.isolation.isolation_record.FRAME', state=[
    ('vector', REAL, (4, 3)),
    ('by_z', REAL, (4, 3, G)),                         # its velocity by zd
])

# A point where a mechanism may be touched, or two that clamp something with forces of one size.
CANDIDATE = RecordType(
    'mb_contact.isolation.isolation_record.CANDIDATE', surface=[
    ('hypothesis', INTEGER),                           # that it belongs to
    ('contacts', INTEGER),                             # 1, or 2
    ('body', INTEGER, (2,)),
    ('area', REAL),                                    # of the surface, over the area of others
    ('spread', REAL, (2,)),                            # deviations of what it stands for [m],
    ('curvature', REAL, (2,)),                         # along the tangents, and of these [1/m]
    ('middle', REAL, (2, 3)), ('radius', REAL, (2,)),  # of two legs that clamp, where they do [m]
    ('leg', REAL, (2, 3)),                             # direction of each, away from the joint
    # in the frame of the body: the point [m], and at a touch the normal inwards and tangents
    ('at', REAL, (2, 3)), ('side', REAL, (2, 3, 3)),
], state=[     # at a state
    ('point', REAL, (2, 3)), ('axes', REAL, (2, 3, 3)),
    ('effect', REAL, (3, G)),                          # of unit forces along each axis, on z
    ('moved_effect', REAL, (2, 3, G)),                 # their change with the point, per m
    ('carried_effect', REAL, (3, G)),                  # of unit forces that carry what is clamped
    ('share', REAL, (MODES, 3)),                       # of each axis in the direction of the force
    ('sliding', REAL, (MODES, 2)),                     # velocity along the tangents [m/s]
    ('prior', REAL, (MODES,)),                         # of each mode, without its hypothesis
    ('misfit', REAL, (MODES,)),                        # square of deviations, unexplained
    ('weight', REAL, (MODES,)),
    ('fitted', REAL, (MODES,)), ('left', REAL, (MODES, OPEN)),  # size [N] and what is left open
    ('size', REAL, (MODES,)), ('size_variance', REAL, (MODES,)),  # of the latest force [N, N^2]
], facing=[     # of two legs that clamp: directions of these, across both, and of a side outwards
    ('leg_axis', REAL, (2, 3)), ('about', REAL, (3,)), ('outward', REAL, (3,)),
])

HYPOTHESIS = np.dtype([
    ('number', INTEGER),
    ('prior', REAL),                                   # probability before anything is known
    ('share', REAL),                                   # sum of the priors of its candidates
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
    ('mode', REAL, (MODES, 2)),                        # cosine and sine, to the normal
    ('surroundings', REAL, (MODES, 2)),                # their velocity along the tangents [m/s]
    ('mode_prior', REAL, (MODES,)),                    # probability
    ('mode_spread', REAL), ('stuck_spread', REAL),     # deviations of what each stands for [rad]
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
    ('ratio', REAL, (WINDOWS,)),                       # size of the force, over the latest size
    # of the candidate that is judged, in each window
    ('share', REAL, (WINDOWS, MODES, 3)),              # of each axis in the direction of the force
    ('slid', REAL, (WINDOWS, MODES, 2)),               # path along the tangents since the first [m]
    ('effect', REAL, (WINDOWS, 3, STACKED)),           # effects on z, over the factor
    ('moved_effect', REAL, (WINDOWS, 2, 3, STACKED)),
    ('carried_effect', REAL, (WINDOWS, 3, STACKED)),
    # of one of its modes
    ('left_open', REAL, (WINDOWS, UNKNOWN, STACKED)),  # effects per N of what is left open
    ('sizes', REAL, (WINDOWS,)), ('moved', REAL, (UNKNOWN,)),   # fitted: of the force [N], of these
    ('target', REAL, (STACKED,)),                      # forces without what is constant
    ('columns', REAL, (UNKNOWN, STACKED)),             # effects of what is unknown, whitened
    ('normal', REAL, (UNKNOWN, UNKNOWN)), ('product', REAL, (UNKNOWN,)),
])
