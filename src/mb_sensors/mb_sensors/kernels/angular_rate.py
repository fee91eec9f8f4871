"""Angular rate of a body about the z axis, as a gyroscope fixed to it measures it."""

from numba import njit

from mb_sensors.kernels.angle import add_angle_gradient
from mb_sensors.kernels.channel import between_points, spread_to_points

ANGULAR_RATE = 2


@njit(cache=True)
def angular_rate(channel, q, qd):
    """Return omega = (dx vy - dy vx) / (dx^2 + dy^2) [rad/s], or the body's own angle's rate."""
    if channel.coordinate >= 0:
        return qd[channel.coordinate]
    dx, dy = between_points(channel.first, channel.second, q)
    vx, vy = between_points(channel.first, channel.second, qd)
    return (dx * vy - dy * vx) / (dx * dx + dy * dy)


@njit(cache=True)
def angular_rate_jacobian(channel, q, qd, h_q, h_qd):
    """Add domega/dq and domega/dqd (n_total each), by the quotient rule on omega."""
    if channel.coordinate >= 0:
        h_qd[channel.coordinate] = 1.0
        return
    first, second = channel.first, channel.second
    dx, dy = between_points(first, second, q)
    vx, vy = between_points(first, second, qd)
    square = dx * dx + dy * dy
    omega = (dx * vy - dy * vx) / square
    spread_to_points(first, second, (vy - 2.0 * dx * omega) / square,
                     (-vx - 2.0 * dy * omega) / square, h_q)
    add_angle_gradient(first, second, q, 1.0, h_qd)
