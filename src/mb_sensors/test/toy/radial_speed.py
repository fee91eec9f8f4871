"""Radar: how fast two places part, as a Doppler radar measures it.  A kind of another package."""

from math import hypot

from mb_model.jit import entry, kernel
from mb_sensors.kind_parts.channel import point_on_body, spread_on_body
from mb_sensors.kind_parts.messages import FieldsMessage
from mb_sensors.kind_parts.sensor_kind import POINT, SensorKind, number, pair


@entry
def radial_speed(channel, q, qd, qdd):
    """Return scale r v / |r| [m/s], r from the first place to the second; scale is in `cosine`."""
    x, y = _across(channel, q)
    vx, vy = _across(channel, qd)
    return channel.cosine * (x * vx + y * vy) / hypot(x, y)


@entry
def radial_speed_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q and qd (n_total each)."""
    x, y = _across(channel, q)
    vx, vy = _across(channel, qd)
    length = hypot(x, y)
    ex, ey = x / length, y / length
    speed = ex * vx + ey * vy
    _spread(channel, (vx - speed * ex) / length, (vy - speed * ey) / length, h_q)
    _spread(channel, ex, ey, h_qd)


@kernel
def _across(channel, q):
    x, y = point_on_body(channel.first, channel.second, channel.along, channel.across, q)
    other_x, other_y = point_on_body(channel.other_first, channel.other_second,
                                     channel.other_along, channel.other_across, q)
    return other_x - x, other_y - y


@kernel
def _spread(channel, by_x, by_y, row):
    by_x, by_y = channel.cosine * by_x, channel.cosine * by_y
    spread_on_body(channel.first, channel.second, channel.along, channel.across, -by_x, -by_y, row)
    spread_on_body(channel.other_first, channel.other_second, channel.other_along,
                    channel.other_across, by_x, by_y, row)


def _read(mount):
    first, second = mount.two('points', mount.one_point)
    others = {f'other_{name}': value for name, value in second.items()}
    return '', {'': {**first, **others, 'cosine': mount.number('scale')}}


def _prepare(message, sensor, _frame):
    message.header.frame_id = sensor.name


KIND = SensorKind(
    'radial_speed', measures='How fast two places part', unit='m/s', read=_read,
    keys={'points': pair(POINT, 'two places', 'The places between which it measures.'),
          'scale': number('What it reads for 1 m/s.', default=1.0)},
    message=FieldsMessage('geometry_msgs/msg/TwistStamped', lambda _: ['twist.linear.x'], _prepare),
    value=radial_speed, jacobian=radial_speed_jacobian, reads_velocities=True)
