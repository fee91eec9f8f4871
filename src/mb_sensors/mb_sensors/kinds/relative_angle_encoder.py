"""Relative angle encoder: angle from one body to another, as at the joint between them."""

from mb_sensors.kernels.relative_angle import RELATIVE_ANGLE
from mb_sensors.kinds.record import channel_record

UNIT = 'rad'


def read(mount):
    """Take `bodies`, two of them; the angle is that of the second against the first."""
    first, second = mount.two('bodies', mount.one_body)
    return second, {'': channel_record(RELATIVE_ANGLE, **mount.axis(first),
                                       **mount.axis(second, 'other_'))}
