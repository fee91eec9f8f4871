"""Position sensor: coordinates of a point on a body (satellite navigation, optical tracker)."""

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import (
    along_direction,
    along_direction_jacobian,
    point_on_body,
    spread_on_body,
)
from mb_sensors.kind_parts.messages import FieldsMessage
from mb_sensors.kind_parts.sensor_kind import (
    POINT,
    POINT_IN_SPACE,
    Measurement,
    SensorKind,
    axes,
    axes_in_space,
)


@kernel
def position(channel, q, qd, qdd):
    """Return the point along the channel's direction [m]."""
    x, y = point_on_body(channel.first, channel.second, channel.along, channel.across, q)
    return channel.direction[0] * x + channel.direction[1] * y


@kernel
def position_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total)."""
    spread_on_body(channel.first, channel.second, channel.along, channel.across,
                   channel.direction[0], channel.direction[1], h_q)


def _read(mount):
    point = mount.point('point')
    return '', {axis: mount.channel(point, direction=[float(axis == other) for other in 'xyz'])
                for axis in mount.axes('axes')}


def _prepare(message, sensor, frame):
    """Write a point, NaN along an axis that is not measured; 0 across the plane of a planar one."""
    message.header.frame_id = frame
    message.point.x = message.point.y = float('nan')
    if sensor.dimension == 3:
        message.point.z = float('nan')


KIND = SensorKind(
    'position', measures='Where a point is, in the frame of the mechanism', unit='m',
    read=_read, driver='position_driver',
    keys={'point': POINT, 'axes': axes('xy', 'Axes along which it measures, a channel each.')},
    message=FieldsMessage('geometry_msgs/msg/PointStamped',
                          lambda sensor: [f'point.{axis}' for axis in sensor.axes], _prepare),
    value=position, jacobian=position_jacobian,
    space=Measurement({'point': POINT_IN_SPACE, 'axes': axes_in_space()}, _read,
                  along_direction, along_direction_jacobian))
