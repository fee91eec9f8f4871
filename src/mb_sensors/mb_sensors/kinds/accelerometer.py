"""Accelerometer: specific force at a point on a body along one to three axes fixed in it.

In the plane and in space.

At rest it reads +g along an axis that points upwards (REP-145).  Its gravity is from the file
from which it is read: the site of a sensor is known, also to a deliberately wrong model.
"""

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import (
    axis_on_body,
    point_on_body,
    spread_on_body,
    spread_product,
    spread_to_axis,
    spread_vector,
    vector,
)
from mb_sensors.kind_parts.messages import ANYTHING, ImuMessage
from mb_sensors.kind_parts.sensor_kind import (
    AT,
    AT_IN_SPACE,
    BODY,
    ORIENTATION,
    RPY,
    Measurement,
    SensorKind,
    axes,
    axes_in_space,
)


@kernel
def specific_force(channel, q, qd, qdd):
    """Return (a - gravity) d [m/s^2], a of a point on the body: +g upwards at rest (REP-145).

    d = cosine u + sine n with u from the body's first point to its second one, n across it; cosine
    and sine of the direction in the body are divided by the length of u.
    """
    fx, fy = _force(channel, qdd)
    dx, dy = axis_on_body(channel, q)
    return fx * dx + fy * dy


@kernel
def specific_force_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q, with which d turns, and by qdd (n_total each)."""
    fx, fy = _force(channel, qdd)
    dx, dy = axis_on_body(channel, q)
    spread_to_axis(channel, fx, fy, h_q)
    spread_on_body(channel.first, channel.second, channel.along, channel.across, dx, dy, h_qdd)


@kernel
def _force(channel, qdd):
    ax, ay = point_on_body(channel.first, channel.second, channel.along, channel.across, qdd)
    return ax - channel.gravity[0], ay - channel.gravity[1]


@kernel
def specific_force_in_space(channel, q, qd, qdd):
    """Return (a - gravity) d [m/s^2], a of the point, vector 0, d the axis, vector 1."""
    fx, fy, fz = _force_in_space(channel, qdd)
    dx, dy, dz = vector(channel, 1, q)
    return fx * dx + fy * dy + fz * dz


@kernel
def specific_force_jacobian_in_space(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q, with which d turns, and by qdd (n_total each)."""
    fx, fy, fz = _force_in_space(channel, qdd)
    spread_vector(channel, 1, fx, fy, fz, h_q)
    spread_product(channel, 0, 1, q, 1.0, h_qdd)


@kernel
def _force_in_space(channel, qdd):
    ax, ay, az = vector(channel, 0, qdd)
    return ax - channel.gravity[0], ay - channel.gravity[1], az - channel.gravity[2]


def _read(mount):
    body = mount.body('body')
    point = mount.point_on(body, 'at')
    return body, {axis: mount.channel(point, along, gravity=mount.gravity)
                  for axis, along in mount.directions(body).items()}


KIND = SensorKind(
    'accelerometer',
    measures='Specific force along axes fixed in a body: +g upwards at rest (REP-145); in the '
             'plane z is out of it, where it reads zero',
    unit='m/s^2', read=_read, sits_on='body', driver='imu_driver',
    keys={'body': BODY, 'at': AT, 'orientation': ORIENTATION,
          'axes': axes('xyz', 'Axes along which it measures, a channel each.')},
    message=ImuMessage('linear_acceleration', lambda sensor: sensor.axes, lambda _: ANYTHING),
    value=specific_force, jacobian=specific_force_jacobian, reads_accelerations=True,
    space=Measurement({'body': BODY, 'at': AT_IN_SPACE, 'rpy': RPY, 'axes': axes_in_space()},
                  _read, specific_force_in_space, specific_force_jacobian_in_space))
