"""The records of the isolation's kernels, beside model and workspace."""

import numpy as np

from mb_model.jit import INTEGER, REAL, RecordType
from mb_model.record import G

WAYS = 6        # directions of the force at a place, evenly over the cone of friction

# A place where a mechanism may be touched, or two that clamp something with forces of one size.
PLACE = RecordType(
    'mb_contact.isolation.isolation_record.PLACE', surface=[
    ('hypothesis', INTEGER),                           # that it belongs to
    ('contacts', INTEGER),                             # 1, or 2
    ('index', INTEGER, (2, 2)),                        # x of first and second point of the bodies
    ('at', REAL, (2, 2)),                              # in the frame of the body [m]
    ('normal', REAL, (2, 2)),                          # of the surface, inwards, in that frame
    ('turn', REAL, (2,)),                              # 1: the tangent lies left of it, -1: right
], state=[     # at a state, on the plane
    ('point', REAL, (2, 2)), ('across', REAL, (2, 2)), ('along', REAL, (2, 2)),
    ('across_effect', REAL, (G,)), ('along_effect', REAL, (G,)),  # of unit forces, on z
    ('carried_effect', REAL, (2, G)),                  # of unit forces that carry what is clamped
    ('prior', REAL, (WAYS,)),                          # of each way, without its hypothesis
    ('cosine', REAL, (WAYS,)), ('sine', REAL, (WAYS,)),  # of the angle from the normal to the force
    ('misfit', REAL, (WAYS,)),                         # square of deviations, unexplained
    ('weight', REAL, (WAYS,)),
    ('size', REAL, (WAYS,)), ('size_variance', REAL, (WAYS,)),  # of the latest force [N, N^2]
])

HYPOTHESIS = np.dtype([
    ('number', INTEGER),
    ('prior', REAL),                                   # probability before anything is known
    ('share', REAL),                                   # sum of the priors of its places
    ('probability', REAL),
    ('point', REAL, (2, 2)), ('force', REAL, (2, 2)),
    ('point_covariance', REAL, (2, 2, 2)), ('force_covariance', REAL, (2, 2, 2)),
])

EVIDENCE = RecordType(
    'mb_contact.isolation.isolation_record.EVIDENCE', settings=[
    ('correlation_time', REAL), ('lag', REAL), ('memory', REAL),  # [s]
    ('model_uncertainty', REAL), ('surroundings_speed', REAL),
    ('imbalance', REAL), ('settling', REAL),           # of what is clamped; [s]
    ('friction_angle', REAL, (WAYS,)),                 # of each way [rad]
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
])
