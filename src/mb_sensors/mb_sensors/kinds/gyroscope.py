"""Gyroscope: angular rate of the body that it is fixed to, about z."""


from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import add_angle_gradient, between_points, spread_to_points
from mb_sensors.kind_parts.sensor_keys import BODY
from mb_sensors.kind_parts.sensor_kind import SensorKind
from mb_sensors.messages.imu import ImuMessage


@kernel
def angular_rate(channel, q, qd, qdd):
    """Return omega = (dx vy - dy vx) / (dx^2 + dy^2) [rad/s], or the body's own angle's rate."""
    if channel.coordinate >= 0:
        return qd[channel.coordinate]
    dx, dy = between_points(channel.first, channel.second, q)
    vx, vy = between_points(channel.first, channel.second, qd)
    return (dx * vy - dy * vx) / (dx * dx + dy * dy)


@kernel
def angular_rate_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
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


def _read(mount):
    body = mount.body('body')
    return body, {'': {'coordinate': mount.angle(body), **mount.axis(body)}}


KIND = SensorKind(
    'gyroscope', measures='Angular rate of a body about z', unit='rad/s', read=_read,
    keys={'body': BODY}, sits_on='body', driver='imu_driver',
    message=ImuMessage('angular_velocity', lambda _: 'z'),
    value=angular_rate, jacobian=angular_rate_jacobian, reads_velocities=True)
