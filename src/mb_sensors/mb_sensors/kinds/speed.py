"""Speed: the velocity of a place of a body along the body's x axis, as of a wheel or a GNSS."""

from math import sqrt

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import (
    between_points,
    place_on_body,
    spread_to_place,
    spread_to_points,
)
from mb_sensors.kind_parts.sensor_keys import AT, BODY
from mb_sensors.kind_parts.sensor_kind import SensorKind
from mb_sensors.messages.fields import FieldsMessage


@kernel
def speed(channel, q, qd, qdd):
    """Return v u / |u| [m/s], v of a place on the body, u from its first point to its second."""
    ux, uy = between_points(channel.first, channel.second, q)
    vx, vy = place_on_body(channel.first, channel.second, channel.along, channel.across, qd)
    return (vx * ux + vy * uy) / sqrt(ux * ux + uy * uy)


@kernel
def speed_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q, with which u turns, and by qd (n_total each)."""
    first, second = channel.first, channel.second
    ux, uy = between_points(first, second, q)
    vx, vy = place_on_body(first, second, channel.along, channel.across, qd)
    length = sqrt(ux * ux + uy * uy)
    ux, uy = ux / length, uy / length
    value = vx * ux + vy * uy
    spread_to_points(first, second, (vx - value * ux) / length, (vy - value * uy) / length, h_q)
    spread_to_place(first, second, channel.along, channel.across, ux, uy, h_qd)


def _read(mount):
    body = mount.body('body')
    return body, {'': mount.place_on(body, 'at')}


def _prepare(message, sensor, _frame):
    message.header.frame_id = sensor.body


KIND = SensorKind(
    'speed', measures="Velocity of a place of a body along the body's x axis", unit='m/s',
    read=_read, keys={'body': BODY, 'at': AT}, sits_on='body',
    message=FieldsMessage('geometry_msgs/msg/TwistStamped', lambda _: ['twist.linear.x'], _prepare),
    value=speed, jacobian=speed_jacobian, reads_velocities=True)
