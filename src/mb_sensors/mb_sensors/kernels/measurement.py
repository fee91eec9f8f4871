"""Measurement functions of a set of channels and their derivatives, by dependent coordinates."""

import math

from numba import njit

from mb_sensors.kernels.angle import ANGLE, angle, angle_jacobian
from mb_sensors.kernels.angular_rate import ANGULAR_RATE, angular_rate, angular_rate_jacobian

_TURN = 2.0 * math.pi


@njit(cache=True)
def measure(channels, q, qd, qdd, h):
    """Write what ideal sensors read: h(q, qd, qdd), one value for each of the channels (k)."""
    for i in range(channels.size):
        channel = channels[i]
        if channel.kind == ANGLE:
            h[i] = angle(channel, q)
        elif channel.kind == ANGULAR_RATE:
            h[i] = angular_rate(channel, q, qd)


@njit(cache=True)
def measurement_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Write one channel's exact derivatives by q, qd and qdd (n_total each)."""
    h_q[:] = 0.0
    h_qd[:] = 0.0
    h_qdd[:] = 0.0
    if channel.kind == ANGLE:
        angle_jacobian(channel, q, h_q)
    elif channel.kind == ANGULAR_RATE:
        angular_rate_jacobian(channel, q, qd, h_q, h_qd)


@njit(cache=True)
def difference(channel, reading, h):
    """Return reading minus h; of angles the short way round, for readings know no whole turns."""
    residual = reading - h
    if channel.kind == ANGLE:
        residual -= _TURN * math.floor(residual / _TURN + 0.5)
    return residual
