"""Inclinometer: how far axes fixed in a body rise above the horizontal, as gravity shows it.

The ideal angle: accelerations of the body, which disturb real ones, are not in it.
"""

from math import atan2, sqrt

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import axis_on_body, spread_to_axis, spread_vector, vector
from mb_sensors.kind_parts.joint_states import JOINT_STATE
from mb_sensors.kind_parts.sensor_kind import BODY, ORIENTATION, RPY, Measurement, SensorKind, axes

_STEEPEST = 1e-9      # cosine of the angle, of a unit vector, from which on derivatives are 0


@kernel
def rise(channel, q, qd, qdd):
    """Return the angle of an axis u above the horizontal [rad]: atan2(u n, |u x n|), n upwards."""
    dx, dy = axis_on_body(channel, q)
    sine, cosine = _parts(channel, dx, dy, 0.0)
    return atan2(sine, cosine)


@kernel
def rise_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total); 0 where the axis is vertical."""
    dx, dy = axis_on_body(channel, q)
    by_x, by_y, _ = _by_axis(channel, dx, dy, 0.0)
    spread_to_axis(channel, by_x, by_y, h_q)


@kernel
def _parts(channel, x, y, z):
    """Return the parts of an axis upwards and across."""
    n = channel.direction
    sine = n[0] * x + n[1] * y + n[2] * z
    return sine, sqrt(max(x * x + y * y + z * z - sine * sine, 0.0))


@kernel
def _by_axis(channel, x, y, z):
    """Return the derivatives of the angle by the axis: (n - sine u / |u|^2) / cosine."""
    sine, cosine = _parts(channel, x, y, z)
    square = x * x + y * y + z * z
    if cosine * cosine <= _STEEPEST * _STEEPEST * square:
        return 0.0, 0.0, 0.0
    n, share = channel.direction, sine / square
    return (n[0] - share * x) / cosine, (n[1] - share * y) / cosine, (n[2] - share * z) / cosine


@kernel
def rise_in_space(channel, q, qd, qdd):
    """Return the angle of an axis, vector 0, above the horizontal [rad]."""
    x, y, z = vector(channel, 0, q)
    sine, cosine = _parts(channel, x, y, z)
    return atan2(sine, cosine)


@kernel
def rise_jacobian_in_space(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total); 0 where the axis is vertical."""
    x, y, z = vector(channel, 0, q)
    by_x, by_y, by_z = _by_axis(channel, x, y, z)
    spread_vector(channel, 0, by_x, by_y, by_z, h_q)


def _read(mount):
    body, up = mount.body('body'), mount.up
    return body, {axis: mount.channel(along, direction=up)
                  for axis, along in mount.directions(body).items()}


KIND = SensorKind(
    'inclinometer', measures='Angle of axes fixed in a body above the horizontal', unit='rad',
    read=_read, sits_on='body',
    keys={'body': BODY, 'orientation': ORIENTATION,
          'axes': axes('xy', 'Axes whose angles it measures, a channel each.', 'x')},
    message=JOINT_STATE, value=rise, jacobian=rise_jacobian,
    space=Measurement(
        {'body': BODY, 'rpy': RPY,
         'axes': axes('xyz', 'Axes whose angles it measures, a channel each.', 'xy')},
        _read, rise_in_space, rise_jacobian_in_space))
