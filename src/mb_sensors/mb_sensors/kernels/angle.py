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
    dx, dy = between_points(channel.first, channel.second, q)
    return math.atan2(dy, dx)


@njit(cache=True)
def angle_jacobian(channel, q, h_q):
    """Write dtheta/dq (n_total), which is 0 before."""
    if channel.coordinate >= 0:
        h_q[channel.coordinate] = 1.0
    else:
        add_angle_gradient(channel.first, channel.second, q, 1.0, h_q)


@njit(cache=True)
def add_angle_gradient(first, second, q, factor, row):
    """Add factor times dtheta/dq, dtheta = (dx d(dy) - dy d(dx)) / (dx^2 + dy^2)."""
    dx, dy = between_points(first, second, q)
    scale = factor / (dx * dx + dy * dy)
    spread_to_points(first, second, -dy * scale, dx * scale, row)
