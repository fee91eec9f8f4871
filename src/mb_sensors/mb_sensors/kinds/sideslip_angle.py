"""Sideslip angle: from the body's x axis to the velocity of a point of it, as of a vehicle.

In space: from the x axis of the sensor, in the plane of its x and y axes.  At rest there is no such
angle; then the reading is 0, and its derivatives are as in a slow motion.
"""

from math import atan2

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import (
    between_points,
    point_on_body,
    product,
    spread_on_body,
    spread_product,
    spread_to_points,
)
from mb_sensors.kind_parts.joint_states import JOINT_STATE
from mb_sensors.kind_parts.sensor_kind import AT, AT_IN_SPACE, BODY, RPY, Measurement, SensorKind

_SLOWEST = 1e-3      # speed below which derivatives grow no more [m/s]


@kernel
def sideslip(channel, q, qd, qdd):
    """Return atan2(u x v, u v) [rad], v of a point on the body, u from its first point on."""
    ux, uy = between_points(channel.first, channel.second, q)
    vx, vy = point_on_body(channel.first, channel.second, channel.along, channel.across, qd)
    return atan2(ux * vy - uy * vx, ux * vx + uy * vy)


@kernel
def sideslip_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q, with which u turns, and by qd (n_total each)."""
    first, second = channel.first, channel.second
    ux, uy = between_points(first, second, q)
    vx, vy = point_on_body(first, second, channel.along, channel.across, qd)
    by_u, by_v = 1.0 / (ux * ux + uy * uy), 1.0 / _square(vx * vx + vy * vy)
    spread_to_points(first, second, by_u * uy, -by_u * ux, h_q)
    spread_on_body(first, second, channel.along, channel.across, -by_v * vy, by_v * vx, h_qd)


@kernel
def _square(speed_squared):
    return max(speed_squared, _SLOWEST * _SLOWEST)


@kernel
def sideslip_in_space(channel, q, qd, qdd):
    """Return atan2(v e, v u) [rad], v of the point, vector 0, along the axes u and e, 1 and 2."""
    return atan2(product(channel, 0, qd, 2, q), product(channel, 0, qd, 1, q))


@kernel
def sideslip_jacobian_in_space(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q, with which u and e turn, and by qd (n_total each)."""
    along, across = product(channel, 0, qd, 1, q), product(channel, 0, qd, 2, q)
    square = _square(along * along + across * across)
    for axis, factor in ((1, -across / square), (2, along / square)):
        spread_product(channel, axis, 0, qd, factor, h_q)
        spread_product(channel, 0, axis, q, factor, h_qd)


def _read(mount):
    body = mount.body('body')
    return body, {'': mount.point_on(body, 'at')}


def _read_in_space(mount):
    body, turn = mount.body('body'), mount.turn('rpy')
    return body, {'': mount.channel(mount.point_on(body, 'at'), mount.direction(body, turn[:, 0]),
                                    mount.direction(body, turn[:, 1]))}


KIND = SensorKind(
    'sideslip_angle',
    measures="Angle from the body's x axis to the velocity of a point of it, in space in the plane "
             "of the sensor's x and y axes",
    unit='rad', read=_read, keys={'body': BODY, 'at': AT}, sits_on='body', message=JOINT_STATE,
    value=sideslip, jacobian=sideslip_jacobian, reads_velocities=True, whole_turns_unknown=True,
    space=Measurement({'body': BODY, 'at': AT_IN_SPACE, 'rpy': RPY}, _read_in_space,
                      sideslip_in_space, sideslip_jacobian_in_space))
