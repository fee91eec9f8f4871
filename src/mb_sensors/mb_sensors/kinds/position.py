"""Position sensor: coordinates of a place in the plane (satellite navigation, optical tracker)."""


from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import place_on_body, spread_to_place
from mb_sensors.kind_parts.sensor_keys import PLACE, axes
from mb_sensors.kind_parts.sensor_kind import SensorKind
from mb_sensors.messages.fields import FieldsMessage

_DIRECTION = {'x': {'cosine': 1.0}, 'y': {'sine': 1.0}}


@kernel
def position(channel, q, qd, qdd):
    """Return cosine x + sine y of the place [m]."""
    x, y = place_on_body(channel.first, channel.second, channel.along, channel.across, q)
    return channel.cosine * x + channel.sine * y


@kernel
def position_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total)."""
    spread_to_place(channel.first, channel.second, channel.along, channel.across, channel.cosine,
                    channel.sine, h_q)


def _read(mount):
    place = mount.place('point')
    return '', {axis: {**_DIRECTION[axis], **place} for axis in mount.axes('axes')}


def _prepare(message, _sensor, frame):
    """Write a point of the plane, NaN along an axis that is not measured."""
    message.header.frame_id = frame
    message.point.x = message.point.y = float('nan')


KIND = SensorKind(
    'position', measures='Where a place is in the plane, in the frame of the mechanism', unit='m',
    read=_read, driver='position_driver',
    keys={'point': PLACE, 'axes': axes('xy', 'Axes along which it measures, a channel each.')},
    message=FieldsMessage('geometry_msgs/msg/PointStamped',
                          lambda sensor: [f'point.{axis}' for axis in sensor.axes], _prepare),
    value=position, jacobian=position_jacobian)
