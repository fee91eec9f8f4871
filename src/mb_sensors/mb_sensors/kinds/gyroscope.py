"""Gyroscope: angular rate of the body it is fixed to, about z."""

from mb_sensors.kernels.angular_rate import ANGULAR_RATE
from mb_sensors.kinds.record import channel_record

UNIT = 'rad/s'


def read(mount):
    """Take `body`; the rate of its own angle coordinate is read where it has one."""
    body = mount.body('body')
    return body, {'': channel_record(ANGULAR_RATE, coordinate=mount.angle(body),
                                     **mount.axis(body))}
