"""Inclinometer: how far axes fixed in a body rise above the horizontal, as gravity shows it.

The ideal angle: accelerations of the body, which disturb real ones, are not in it.
"""

from math import atan2, cos, pi, sin, sqrt

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import between_points, spread_to_points
from mb_sensors.kind_parts.sensor_keys import BODY, RPY, axes, number
from mb_sensors.kind_parts.sensor_kind import Measurement, SensorKind
from mb_sensors.kind_parts.vectors import spread_vector, vector
from mb_sensors.messages.joint_state import JOINT_STATE

_TURNED = {'x': 0.0, 'y': pi / 2.0}        # from the sensor's x axis
_STEEPEST = 1e-9      # cosine of the angle, of a unit vector, from which on derivatives are 0


@kernel
def rise(channel, q, qd, qdd):
    """Return the angle of an axis u above the horizontal [rad]: atan2(u n, |u x n|), n upwards."""
    dx, dy = _axis(channel, q)
    sine, cosine = _parts(channel, dx, dy, 0.0)
    return atan2(sine, cosine)


@kernel
def rise_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total); 0 where the axis is vertical."""
    dx, dy = _axis(channel, q)
    by_x, by_y, _ = _by_axis(channel, dx, dy, 0.0)
    c, s = channel.cosine, channel.sine
    spread_to_points(channel.first, channel.second, c * by_x + s * by_y, c * by_y - s * by_x, h_q)


@kernel
def _axis(channel, q):
    """Return the axis; cosine and sine are divided by the length between the body's points."""
    ux, uy = between_points(channel.first, channel.second, q)
    return channel.cosine * ux - channel.sine * uy, channel.cosine * uy + channel.sine * ux


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
    orientation, length = mount.number('orientation'), mount.length(body)
    quantities = {}
    for axis in mount.axes('axes'):
        angle = orientation + _TURNED[axis]
        quantities[axis] = {'cosine': cos(angle) / length, 'sine': sin(angle) / length,
                            'direction': up, **mount.axis(body)}
    return body, quantities


def _read_in_space(mount):
    body, turn, up = mount.body('body'), mount.turn('rpy'), mount.up
    return body, {axis: {**mount.vectors(mount.direction(body, turn[:, 'xyz'.index(axis)])),
                         'direction': up} for axis in mount.axes('axes')}


KIND = SensorKind(
    'inclinometer', measures='Angle of axes fixed in a body above the horizontal', unit='rad',
    read=_read, sits_on='body',
    keys={'body': BODY,
          'orientation': number("Angle of the sensor's x axis in the frame of the body [rad].",
                                default=0.0),
          'axes': axes('xy', 'Axes whose angles it measures, a channel each.', 'x')},
    message=JOINT_STATE, value=rise, jacobian=rise_jacobian,
    space=Measurement(
        {'body': BODY, 'rpy': RPY,
         'axes': axes('xyz', 'Axes whose angles it measures, a channel each.', 'xy')},
        _read_in_space, rise_in_space, rise_jacobian_in_space))
