"""The record of sigma points, beside FILTER, of the unscented filters."""

import numpy as np

from mb_estimators.records.filter import MAX_BIASES, MAX_CHANNELS
from mb_model.record import MAX_COORDINATES, MAX_INDEPENDENT

_STATES = 2 * MAX_INDEPENDENT + MAX_BIASES
MAX_POINTS = 2 * _STATES + 1

_integer, _real = np.int64, np.float64

SIGMA = np.dtype([
    ('count', _integer),                                # sigma points; the first is the centre
    ('unit', _real, (MAX_POINTS, _STATES)),             # of zero mean and unit covariance
    ('mean_weight', _real, (MAX_POINTS,)), ('covariance_weight', _real, (MAX_POINTS,)),
    ('square_root', _integer),                          # 1: factor is carried on, not P
    ('factor', _real, (_STATES, _STATES)),              # lower triangular, P = factor factor^T
    ('x', _real, (_STATES,)), ('q', _real, (MAX_COORDINATES,)),      # where they were drawn
    ('next_q', _real, (MAX_COORDINATES,)),              # of the centre, a step later
    ('points', _real, (MAX_POINTS, _STATES)),
    ('reuse', _integer),                                # 1: points of a step serve its correction
    ('stepped', _integer),                              # 1: they are deviations from the state
    ('mean', _real, (_STATES,)),
    ('h', _real, (MAX_CHANNELS,)),                      # what sensors would read: mean
    ('outputs', _real, (MAX_POINTS, MAX_CHANNELS)),     # and what the points deviate from it
    ('array', _real, (MAX_CHANNELS + _STATES, MAX_POINTS + max(MAX_CHANNELS, _STATES))),
    # of filters with accelerations as states, which step from x and q
    ('zdd', _real, (MAX_INDEPENDENT,)),                 # state
    ('begin_zdd', _real, (MAX_INDEPENDENT,)),           # at the start of the step
    ('step', _real),                                    # its length
    ('acceleration_variance', _real, (MAX_INDEPENDENT,)),
    ('cross', _real, (_STATES, MAX_CHANNELS)),          # P_xy, then the gain
])
