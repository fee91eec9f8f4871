"""Distance between two places."""

from math import hypot

from numba import njit

from mb_sensors.kernels.channel import place_on_body, spread_to_place

DISTANCE = 5


@njit(cache=True)
def distance(channel, q):
    """Return |r_2 - r_1| [m]."""
    dx, dy = _across(channel, q)
    return hypot(dx, dy)


@njit(cache=True)
def distance_jacobian(channel, q, h_q):
    """Add its derivatives by q (n_total); 0 where the places coincide."""
    dx, dy = _across(channel, q)
    length = hypot(dx, dy)
    if length == 0.0:
        return
    ex, ey = dx / length, dy / length
    spread_to_place(channel.first, channel.second, channel.along, channel.across, -ex, -ey, h_q)
    spread_to_place(channel.other_first, channel.other_second, channel.other_along,
                    channel.other_across, ex, ey, h_q)


@njit(cache=True)
def _across(channel, q):
    """Return the vector from the first place to the second."""
    x, y = place_on_body(channel.first, channel.second, channel.along, channel.across, q)
    other_x, other_y = place_on_body(channel.other_first, channel.other_second,
                                     channel.other_along, channel.other_across, q)
    return other_x - x, other_y - y
