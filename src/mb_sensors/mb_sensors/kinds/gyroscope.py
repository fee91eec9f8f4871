"""Gyroscope: angular rate of the body it is fixed to, about z."""

from mb_sensors.kernels.angular_rate import ANGULAR_RATE
from mb_sensors.kinds.body_records import body_records

UNIT = 'rad/s'
ON_BODY = True


def records(mechanism, body):
    """Return the channel of the body's angular rate."""
    return body_records(mechanism, body, ANGULAR_RATE)
