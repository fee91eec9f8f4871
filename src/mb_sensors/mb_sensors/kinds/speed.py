"""Speed: the velocity of a point of a body along the body's x axis, as of a wheel or a GNSS.

In space: along the x axis of the sensor.
"""

from math import sqrt

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import (
    between_points,
    point_on_body,
    product,
    spread_on_body,
    spread_product,
    spread_to_points,
)
from mb_sensors.kind_parts.messages import FieldsMessage
from mb_sensors.kind_parts.sensor_kind import AT, AT_IN_SPACE, BODY, RPY, Measurement, SensorKind


@kernel
def speed(channel, q, qd, qdd):
    """Return v u / |u| [m/s], v of a point on the body, u from its first point to its second."""
    ux, uy = between_points(channel.first, channel.second, q)
    vx, vy = point_on_body(channel.first, channel.second, channel.along, channel.across, qd)
    return (vx * ux + vy * uy) / sqrt(ux * ux + uy * uy)


@kernel
def speed_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q, with which u turns, and by qd (n_total each)."""
    first, second = channel.first, channel.second
    ux, uy = between_points(first, second, q)
    vx, vy = point_on_body(first, second, channel.along, channel.across, qd)
    length = sqrt(ux * ux + uy * uy)
    ux, uy = ux / length, uy / length
    value = vx * ux + vy * uy
    spread_to_points(first, second, (vx - value * ux) / length, (vy - value * uy) / length, h_q)
    spread_on_body(first, second, channel.along, channel.across, ux, uy, h_qd)


@kernel
def speed_in_space(channel, q, qd, qdd):
    """Return v u [m/s], v of the point, vector 0, along the axis u, vector 1."""
    return product(channel, 0, qd, 1, q)


@kernel
def speed_jacobian_in_space(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q, with which u turns, and by qd (n_total each)."""
    spread_product(channel, 1, 0, qd, 1.0, h_q)
    spread_product(channel, 0, 1, q, 1.0, h_qd)


def _read(mount):
    body = mount.body('body')
    return body, {'': mount.point_on(body, 'at')}


def _read_in_space(mount):
    body = mount.body('body')
    return body, {'': mount.channel(mount.point_on(body, 'at'),
                                    mount.direction(body, mount.turn('rpy')[:, 0]))}


def _prepare(message, sensor, _frame):
    message.header.frame_id = sensor.body


KIND = SensorKind(
    'speed',
    measures="Velocity of a point of a body along the body's x axis, in space along the sensor's",
    unit='m/s', read=_read, keys={'body': BODY, 'at': AT}, sits_on='body',
    message=FieldsMessage('geometry_msgs/msg/TwistStamped', lambda _: ['twist.linear.x'], _prepare),
    value=speed, jacobian=speed_jacobian, reads_velocities=True,
    space=Measurement({'body': BODY, 'at': AT_IN_SPACE, 'rpy': RPY}, _read_in_space, speed_in_space,
                  speed_jacobian_in_space))
