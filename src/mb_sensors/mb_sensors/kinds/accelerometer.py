"""Accelerometer: specific force at a place on a body along one to three axes fixed in it.

At rest it reads +g along an axis that points upwards (REP-145).  Its gravity is that of the file
from which it is read: where a sensor stands is known, whatever a deliberately wrong model believes.
"""

from math import cos, pi, sin

from mb_sensors.kernels.measurement import NOTHING
from mb_sensors.kernels.specific_force import SPECIFIC_FORCE
from mb_sensors.kinds.record import channel_record

UNIT = 'm/s^2'
_TURNED = {'x': 0.0, 'y': pi / 2.0}        # from the sensor's x axis


def read(mount):
    """Take `body`, `at`, `orientation` of the sensor's x axis in the body's frame, and `axes`."""
    body = mount.body('body')
    place = mount.place_on(body, 'at')
    orientation = mount.number('orientation', 0.0)
    length, gravity = mount.length(body), mount.gravity
    records = {}
    for axis in mount.axes('axes', 'xyz', ['x', 'y']):
        if axis == 'z':
            records[axis] = channel_record(NOTHING)
            continue
        angle = orientation + _TURNED[axis]
        records[axis] = channel_record(
            SPECIFIC_FORCE, cosine=cos(angle) / length, sine=sin(angle) / length, gravity=gravity,
            **place)
    return body, records
