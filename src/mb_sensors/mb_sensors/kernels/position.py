"""Position of a place along a fixed direction."""

from numba import njit

from mb_sensors.kernels.channel import place_on_body, spread_to_place

POSITION = 6


@njit(cache=True)
def position(channel, q):
    """Return cosine x + sine y of the place [m]."""
    x, y = place_on_body(channel.first, channel.second, channel.along, channel.across, q)
    return channel.cosine * x + channel.sine * y


@njit(cache=True)
def position_jacobian(channel, h_q):
    """Add its derivatives by q (n_total)."""
    spread_to_place(channel.first, channel.second, channel.along, channel.across, channel.cosine,
                    channel.sine, h_q)
