"""Angle encoder: absolute angle of a body, from its first point to its second."""

from mb_sensors.kernels.angle import ANGLE
from mb_sensors.kinds.record import channel_record

UNIT = 'rad'


def read(mount):
    """Take `body`; its own angle coordinate is read where it has one."""
    body = mount.body('body')
    return body, {'': channel_record(ANGLE, coordinate=mount.angle(body), **mount.axis(body))}
