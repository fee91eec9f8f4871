"""Accelerometer: specific force at a place on a body along one to three axes fixed in it.

At rest it reads +g along an axis that points upwards (REP-145).  Its gravity is from the file
from which it is read: the site of a sensor is known, also to a deliberately wrong model.
"""

from math import cos, pi, sin

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import (
    between_points,
    place_on_body,
    spread_to_place,
    spread_to_points,
)
from mb_sensors.kind_parts.sensor_keys import AT, BODY, axes, number
from mb_sensors.kind_parts.sensor_kind import SensorKind
from mb_sensors.messages.imu import ImuMessage

_TURNED = {'x': 0.0, 'y': pi / 2.0}        # from the sensor's x axis
_ANYTHING = 1e6      # variance along an axis that it lacks [m^2/s^4]


@kernel
def specific_force(channel, q, qd, qdd):
    """Return (a - gravity) d [m/s^2], a of a place on the body: +g upwards at rest (REP-145).

    d = cosine u + sine n with u from the body's first point to its second one, n across it; cosine
    and sine of the direction in the body are divided by the length of u.
    """
    fx, fy = _force(channel, qdd)
    dx, dy = _direction(channel, q)
    return fx * dx + fy * dy


@kernel
def specific_force_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q, with which d turns, and by qdd (n_total each)."""
    fx, fy = _force(channel, qdd)
    dx, dy = _direction(channel, q)
    c, s = channel.cosine, channel.sine
    spread_to_points(channel.first, channel.second, c * fx + s * fy, c * fy - s * fx, h_q)
    spread_to_place(channel.first, channel.second, channel.along, channel.across, dx, dy, h_qdd)


@kernel
def _force(channel, qdd):
    ax, ay = place_on_body(channel.first, channel.second, channel.along, channel.across, qdd)
    return ax - channel.gravity[0], ay - channel.gravity[1]


@kernel
def _direction(channel, q):
    ux, uy = between_points(channel.first, channel.second, q)
    return channel.cosine * ux - channel.sine * uy, channel.cosine * uy + channel.sine * ux


def _read(mount):
    body = mount.body('body')
    place = mount.place_on(body, 'at')
    orientation = mount.number('orientation')
    length, gravity = mount.length(body), mount.gravity
    quantities = {}
    for axis in mount.axes('axes'):
        angle = orientation + _TURNED.get(axis, 0.0)
        quantities[axis] = None if axis == 'z' else {
            'cosine': cos(angle) / length, 'sine': sin(angle) / length, 'gravity': gravity, **place}
    return body, quantities


KIND = SensorKind(
    'accelerometer',
    measures='Specific force along axes fixed in a body: +g upwards at rest (REP-145); z is out of '
             'the plane, where it reads zero',
    unit='m/s^2', read=_read, sits_on='body', driver='imu_driver',
    keys={'body': BODY, 'at': AT,
          'orientation': number("Angle of the sensor's x axis in the frame of the body [rad].",
                                default=0.0),
          'axes': axes('xyz', 'Axes along which it measures, a channel each.')},
    message=ImuMessage('linear_acceleration', lambda sensor: sensor.axes, elsewhere=_ANYTHING),
    value=specific_force, jacobian=specific_force_jacobian, reads_accelerations=True)
