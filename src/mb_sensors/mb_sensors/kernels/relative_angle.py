"""Angle of one body against another, between the lines from first to second point of each."""

import math

from numba import njit

from mb_sensors.kernels.angle import add_angle_gradient
from mb_sensors.kernels.channel import between_points

RELATIVE_ANGLE = 3


@njit(cache=True)
def relative_angle(channel, q):
    """Return atan2(u x w, u w) [rad], from u of the first body to w of the other."""
    ux, uy = between_points(channel.first, channel.second, q)
    wx, wy = between_points(channel.other_first, channel.other_second, q)
    return math.atan2(ux * wy - uy * wx, ux * wx + uy * wy)


@njit(cache=True)
def relative_angle_jacobian(channel, q, h_q):
    """Add its derivatives by q (n_total)."""
    add_angle_gradient(channel.first, channel.second, q, -1.0, h_q)
    add_angle_gradient(channel.other_first, channel.other_second, q, 1.0, h_q)
