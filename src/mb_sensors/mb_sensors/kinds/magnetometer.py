"""Magnetometer: the magnetic field where the machine is, along axes fixed in a body.

Iron on the body is a bias, or a scale and cross sensitivities of the settings.
"""

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import (
    along_direction,
    along_direction_jacobian,
    axis_on_body,
    spread_to_axis,
)
from mb_sensors.kind_parts.messages import FieldsMessage
from mb_sensors.kind_parts.sensor_kind import (
    BODY,
    ORIENTATION,
    RPY,
    Measurement,
    SensorKind,
    axes,
    axes_in_space,
    triple,
)


@kernel
def field(channel, q, qd, qdd):
    """Return B u [T], B in the axes of the mechanism, u of the sensor."""
    x, y = axis_on_body(channel, q)
    return channel.direction[0] * x + channel.direction[1] * y


@kernel
def field_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total)."""
    spread_to_axis(channel, channel.direction[0], channel.direction[1], h_q)


def _read(mount):
    body, strength = mount.body('body'), mount.numbers('field', mount.dimension)
    return body, {axis: mount.channel(along, direction=strength)
                  for axis, along in mount.directions(body).items()}


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
          'orientation': ORIENTATION,
          'axes': axes('xy', 'Axes along which it measures, a channel each.')},
    message=FieldsMessage('sensor_msgs/msg/MagneticField',
                          lambda sensor: [f'magnetic_field.{axis}' for axis in sensor.axes],
                          _prepare),
    value=field, jacobian=field_jacobian,
    space=Measurement(
        {'body': BODY, 'field': triple(_FIELD, default=[2.0e-5, 0.0, -4.4e-5]), 'rpy': RPY,
         'axes': axes_in_space()}, _read, along_direction, along_direction_jacobian))
