"""Angle encoder: absolute angle of a body, from its first point to its second."""

from mb_sensors.kernels.angle import ANGLE
from mb_sensors.kinds.body_records import body_records

UNIT = 'rad'
ON_BODY = True


def records(mechanism, body):
    """Return the channel of the body's angle."""
    return body_records(mechanism, body, ANGLE)
