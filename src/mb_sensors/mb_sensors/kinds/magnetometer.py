"""Magnetometer: the magnetic field where the machine is, along axes fixed in a body.

Iron on the body is a bias, or a scale and cross sensitivities of the settings.
"""

from math import cos, pi, sin

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import between_points, spread_to_points
from mb_sensors.kind_parts.sensor_keys import BODY, RPY, axes, axes_in_space, number, triple
from mb_sensors.kind_parts.sensor_kind import Measurement, SensorKind
from mb_sensors.kind_parts.vectors import spread_vector, vector
from mb_sensors.messages.fields import FieldsMessage

_TURNED = {'x': 0.0, 'y': pi / 2.0}        # from the sensor's x axis


@kernel
def field(channel, q, qd, qdd):
    """Return B u [T], B in the axes of the mechanism, u of the sensor."""
    ux, uy = between_points(channel.first, channel.second, q)
    c, s, b = channel.cosine, channel.sine, channel.direction
    return b[0] * (c * ux - s * uy) + b[1] * (c * uy + s * ux)


@kernel
def field_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total)."""
    c, s, b = channel.cosine, channel.sine, channel.direction
    spread_to_points(channel.first, channel.second, c * b[0] + s * b[1], c * b[1] - s * b[0], h_q)


@kernel
def field_in_space(channel, q, qd, qdd):
    """Return B u [T], u vector 0."""
    x, y, z = vector(channel, 0, q)
    return channel.direction[0] * x + channel.direction[1] * y + channel.direction[2] * z


@kernel
def field_jacobian_in_space(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total)."""
    spread_vector(channel, 0, channel.direction[0], channel.direction[1], channel.direction[2], h_q)


def _read(mount):
    body, strength = mount.body('body'), mount.numbers('field', 2)
    orientation, length = mount.number('orientation'), mount.length(body)
    quantities = {}
    for axis in mount.axes('axes'):
        angle = orientation + _TURNED[axis]
        quantities[axis] = {'cosine': cos(angle) / length, 'sine': sin(angle) / length,
                            'direction': strength, **mount.axis(body)}
    return body, quantities


def _read_in_space(mount):
    body, turn, strength = mount.body('body'), mount.turn('rpy'), mount.numbers('field', 3)
    return body, {axis: {**mount.vectors(mount.direction(body, turn[:, 'xyz'.index(axis)])),
                         'direction': strength} for axis in mount.axes('axes')}


def _prepare(message, sensor, _frame):
    """Write the noise, and NaN along axes that are not measured."""
    message.header.frame_id = sensor.body
    for axis in 'xyz':
        setattr(message.magnetic_field, axis, float('nan'))
    for k in range(3):
        message.magnetic_field_covariance[4 * k] = sensor.settings.variance


_FIELD = 'The magnetic field, in the axes of the mechanism [T].'

KIND = SensorKind(
    'magnetometer', measures='Magnetic field along axes fixed in a body', unit='T', read=_read,
    sits_on='body',
    keys={'body': BODY,
          'field': {**triple(_FIELD, default=[2.0e-5, 0.0]), 'title': 'two numbers', 'minItems': 2,
                    'maxItems': 2},
          'orientation': number("Angle of the sensor's x axis in the frame of the body [rad].",
                                default=0.0),
          'axes': axes('xy', 'Axes along which it measures, a channel each.')},
    message=FieldsMessage('sensor_msgs/msg/MagneticField',
                          lambda sensor: [f'magnetic_field.{axis}' for axis in sensor.axes],
                          _prepare),
    value=field, jacobian=field_jacobian,
    space=Measurement(
        {'body': BODY, 'field': triple(_FIELD, default=[2.0e-5, 0.0, -4.4e-5]), 'rpy': RPY,
         'axes': axes_in_space()}, _read_in_space, field_in_space, field_jacobian_in_space))
