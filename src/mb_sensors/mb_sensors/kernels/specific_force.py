"""Specific force along a direction fixed in a body, as an accelerometer there measures it."""

from numba import njit

from mb_sensors.kernels.channel import (
    between_points,
    place_on_body,
    spread_to_place,
    spread_to_points,
)

SPECIFIC_FORCE = 4


@njit(cache=True)
def specific_force(channel, q, qdd):
    """Return (a - gravity) d [m/s^2], a of a place on the body: +g upwards at rest (REP-145).

    d = cosine u + sine n with u from the body's first point to its second one, n across it; cosine
    and sine of the direction in the body are divided by the length of u.
    """
    fx, fy = _force(channel, qdd)
    dx, dy = _direction(channel, q)
    return fx * dx + fy * dy


@njit(cache=True)
def specific_force_jacobian(channel, q, qdd, h_q, h_qdd):
    """Add its derivatives by q, with which d turns, and by qdd (n_total each)."""
    fx, fy = _force(channel, qdd)
    dx, dy = _direction(channel, q)
    c, s = channel.cosine, channel.sine
    spread_to_points(channel.first, channel.second, c * fx + s * fy, c * fy - s * fx, h_q)
    spread_to_place(channel.first, channel.second, channel.along, channel.across, dx, dy, h_qdd)


@njit(cache=True)
def _force(channel, qdd):
    ax, ay = place_on_body(channel.first, channel.second, channel.along, channel.across, qdd)
    return ax - channel.gravity[0], ay - channel.gravity[1]


@njit(cache=True)
def _direction(channel, q):
    ux, uy = between_points(channel.first, channel.second, q)
    return channel.cosine * ux - channel.sine * uy, channel.cosine * uy + channel.sine * ux
