"""Absolute angle of a body, from its first point to its second."""

import math

from numba import njit

from mb_sensors.kernels.channel import between_points, spread_to_points

ANGLE = 1


@njit(cache=True)
def angle(channel, q):
    """Return theta = atan2(dy, dx) [rad], or the body's own angle coordinate if it has one."""
    if channel.coordinate >= 0:
        return q[channel.coordinate]
    dx, dy = between_points(channel, q)
    return math.atan2(dy, dx)


@njit(cache=True)
def angle_jacobian(channel, q, h_q):
    """Write dtheta/dq (n_total), of dtheta = (dx d(dy) - dy d(dx)) / (dx^2 + dy^2)."""
    if channel.coordinate >= 0:
        h_q[channel.coordinate] = 1.0
        return
    dx, dy = between_points(channel, q)
    square = dx * dx + dy * dy
    spread_to_points(channel, -dy / square, dx / square, h_q)
