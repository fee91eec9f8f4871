"""Distance sensor: how far two points are apart (draw wire, laser, cylinder)."""

from math import hypot, sqrt

import numpy as np

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import (
    between,
    point_on_body,
    product,
    spread_on_body,
    spread_product,
)
from mb_sensors.kind_parts.messages import FieldsMessage
from mb_sensors.kind_parts.sensor_kind import POINT, POINT_IN_SPACE, Measurement, SensorKind, pair


@kernel
def distance(channel, q, qd, qdd):
    """Return |r_2 - r_1| [m]."""
    dx, dy = _across(channel, q)
    return hypot(dx, dy)


@kernel
def distance_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total); 0 where the points coincide."""
    dx, dy = _across(channel, q)
    length = hypot(dx, dy)
    if length == 0.0:
        return
    ex, ey = dx / length, dy / length
    spread_on_body(channel.first, channel.second, channel.along, channel.across, -ex, -ey, h_q)
    spread_on_body(channel.other_first, channel.other_second, channel.other_along,
                   channel.other_across, ex, ey, h_q)


@kernel
def _across(channel, q):
    """Return the vector from the first point to the second."""
    x, y = point_on_body(channel.first, channel.second, channel.along, channel.across, q)
    other_x, other_y = point_on_body(channel.other_first, channel.other_second,
                                     channel.other_along, channel.other_across, q)
    return other_x - x, other_y - y


@kernel
def distance_in_space(channel, q, qd, qdd):
    """Return the length of the distance from point to point, vector 0 [m]."""
    return sqrt(product(channel, 0, q, 0, q))


@kernel
def distance_jacobian_in_space(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total); 0 where the points coincide."""
    length = sqrt(product(channel, 0, q, 0, q))
    if length > 0.0:
        spread_product(channel, 0, 0, q, 1.0 / length, h_q)


def _read(mount):
    first, second = mount.two('points', mount.one_point)
    return '', {'': {**first, **{f'other_{name}': value for name, value in second.items()}}}


def _read_in_space(mount):
    first, second = mount.two('points', mount.one_point)
    return '', {'': mount.channel(between(first, second))}


def _prepare(message, sensor, _frame):
    """Write a Range without limits."""
    message.header.frame_id = sensor.name
    message.radiation_type, message.max_range = message.INFRARED, float('inf')
    message.variance = sensor.settings.variance


KIND = SensorKind(
    'distance', measures='Distance between two points, in the single precision of its message',
    unit='m', read=_read, driver='range_driver',
    keys={'points': pair(POINT, 'two points', 'The points between which it measures.')},
    message=FieldsMessage('sensor_msgs/msg/Range', lambda _: ['range'], _prepare,
                          written=np.float32),
    value=distance, jacobian=distance_jacobian,
    space=Measurement(
        {'points': pair(POINT_IN_SPACE, 'two points', 'The points between which it measures.')},
        _read_in_space, distance_in_space, distance_jacobian_in_space))
