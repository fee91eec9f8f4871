"""Position sensor: where a place is in the plane (satellite navigation, optical tracker)."""

from mb_sensors.kernels.position import POSITION
from mb_sensors.kinds.record import channel_record

UNIT = 'm'
_DIRECTION = {'x': {'cosine': 1.0}, 'y': {'sine': 1.0}}


def read(mount):
    """Take `point`, a place, and `axes`."""
    place = mount.place('point')
    return '', {axis: channel_record(POSITION, **_DIRECTION[axis], **place)
                for axis in mount.axes('axes', 'xy', ['x', 'y'])}
