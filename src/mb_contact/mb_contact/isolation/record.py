"""The records of the isolation's kernels, beside model and workspace."""

import numpy as np

from mb_model.record import MAX_COORDINATES, MAX_INDEPENDENT

WAYS = 6        # directions of the force at a place, evenly over the cone of friction

_N, _G, _W = MAX_COORDINATES, MAX_INDEPENDENT, WAYS
_integer, _real = np.int64, np.float64

# A place where a mechanism may be touched, or two that clamp something with forces of one size.
PLACE = np.dtype([
    ('hypothesis', _integer),                          # that it belongs to
    ('contacts', _integer),                            # 1, or 2
    ('index', _integer, (2, 2)),                       # x of first and second point of the bodies
    ('at', _real, (2, 2)),                             # in the frame of the body [m]
    ('normal', _real, (2, 2)),                         # of the surface, inwards, in that frame
    ('turn', _real, (2,)),                             # 1: the tangent lies left of it, -1: right
    # at a state, on the plane
    ('point', _real, (2, 2)), ('across', _real, (2, 2)), ('along', _real, (2, 2)),
    ('across_effect', _real, (_G,)), ('along_effect', _real, (_G,)),     # of unit forces, on z
    ('carried_effect', _real, (2, _G)),                # of unit forces that carry what is clamped
    ('prior', _real, (_W,)),                           # of each way, without its hypothesis
    ('cosine', _real, (_W,)), ('sine', _real, (_W,)),  # of the angle from the normal to the force
    ('misfit', _real, (_W,)),                          # square of deviations, unexplained
    ('weight', _real, (_W,)),
    ('size', _real, (_W,)), ('size_variance', _real, (_W,)),       # of the latest force [N, N^2]
])

HYPOTHESIS = np.dtype([
    ('number', _integer),
    ('prior', _real),                                  # probability before anything is known
    ('share', _real),                                  # sum of the priors of its places
    ('probability', _real),
    ('point', _real, (2, 2)), ('force', _real, (2, 2)),
    ('point_covariance', _real, (2, 2, 2)), ('force_covariance', _real, (2, 2, 2)),
])

EVIDENCE = np.dtype([
    # settings
    ('correlation_time', _real), ('lag', _real), ('memory', _real),     # [s]
    ('model_uncertainty', _real), ('surroundings_speed', _real),
    ('imbalance', _real), ('settling', _real),         # of what is clamped; [s]
    ('friction_angle', _real, (_W,)),                  # of each way [rad]
    # of one contact
    ('stamp', _integer),                               # of the last instant [ns]
    ('time', _real),                                   # that the mean counts, 0: none yet [s]
    ('elapsed', _real),                                # since the contact began [s]
    ('approach', _real, (_G,)),                        # zd that led to the first instant
    ('zd', _real, (_G,)),                              # of the latest instant
    ('force', _real, (_G,)),                           # mean over the instants
    ('spread', _real, (_G, _G)),                       # covariance of force times time
    ('latest', _real, (_G,)),
    # scratch
    ('factor', _real, (_G, _G)), ('M_bar', _real, (_G, _G)),
    ('white', _real, (_G,)), ('white_latest', _real, (_G,)),
])
