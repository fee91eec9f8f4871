"""A kind of sensor: the height of a point of a body, as an ultrasonic sensor above the floor.

Python finds it by the entry point in height.dist-info; a package of yours names it in its setup.py:
entry_points={'mb_sensors.kinds': ['height = my_package.height:KIND']}.
"""

from mb_model.jit import entry
from mb_sensors.kind_parts.channel import point_on_body, spread_on_body
from mb_sensors.kind_parts.messages import FieldsMessage
from mb_sensors.kind_parts.sensor_kind import AT, BODY, SensorKind


@entry
def height(channel, q, qd, qdd):
    """Return y of the point [m]."""
    return point_on_body(channel.first, channel.second, channel.along, channel.across, q)[1]


@entry
def height_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total): 0 by x, 1 by y of the point."""
    spread_on_body(channel.first, channel.second, channel.along, channel.across, 0.0, 1.0, h_q)


def _read(mount):
    """Return the body, and what the channel needs by the entry of a mechanism file."""
    body = mount.body('body')
    return body, {'': mount.point_on(body, 'at')}


def _name_frame(message, sensor, _frame):
    message.header.frame_id = sensor.name


KIND = SensorKind(
    'height', measures='Height of a point of a body', unit='m', read=_read,
    keys={'body': BODY, 'at': AT}, sits_on='body',
    message=FieldsMessage('sensor_msgs/msg/Range', lambda _: ['range'], _name_frame),
    value=height, jacobian=height_jacobian)
