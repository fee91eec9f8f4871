"""Orientation: how a body is turned, as an attitude reference or a tracker measures it.

Readings are rotation vectors from the axes of the mechanism to the sensor's, of at most half a
turn.  A filter takes innovations about the sensor's axes, see kind_parts.rotations.
"""

import numpy as np

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import spread_product
from mb_sensors.kind_parts.messages import UNKNOWN, FieldsMessage
from mb_sensors.kind_parts.rotations import slopes_of_turn, turn
from mb_sensors.kind_parts.sensor_kind import BODY, RPY, Measurement, SensorKind


@kernel
def orientation(channel, q, qd, qdd):
    """Return a component of the rotation vector [rad] from the channel's reference."""
    return turn(channel, q)[channel.rotation - 1]


@kernel
def orientation_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total): by turns about the sensor's axes, (w dv - v dw) / 2."""
    slopes = slopes_of_turn(turn(channel, q), channel.rotation - 1)
    for axis in range(3):
        v, w = (axis + 1) % 3, (axis + 2) % 3
        spread_product(channel, v, w, q, 0.5 * slopes[axis], h_q)
        spread_product(channel, w, v, q, -0.5 * slopes[axis], h_q)


def _read(mount):
    body = mount.body('body')
    columns = mount.turn('rpy').T
    axes = [mount.direction(body, column) for column in columns]
    return body, {axis: mount.channel(*axes, rotation=1 + k, reference=np.eye(3))
                  for k, axis in enumerate('xyz')}


def _prepare(message, sensor, _frame):
    """Write the noise; nothing else of an Imu (REP-145) is measured."""
    message.header.frame_id = sensor.body
    message.angular_velocity_covariance[0] = UNKNOWN
    message.linear_acceleration_covariance[0] = UNKNOWN
    message.orientation_covariance = (sensor.settings.variance * np.eye(3)).ravel()


def _rotation():
    """Return scipy's class: imported when it is used, other sensors need not wait for it."""
    from scipy.spatial.transform import Rotation
    return Rotation


def _rotation_vector(quaternion):
    """Return the rotation vector of a quaternion x, y, z, w; NaN where that is none."""
    one = np.array(quaternion)
    size = float(np.linalg.norm(one))
    if not (np.isfinite(size) and size > 0.0):
        return [float('nan')] * 3
    return _rotation().from_quat(one).as_rotvec().tolist()


MESSAGE = FieldsMessage(
    'sensor_msgs/msg/Imu', lambda _: [f'orientation.{axis}' for axis in 'xyzw'], _prepare,
    written=lambda values: _rotation().from_rotvec(values).as_quat().tolist(),
    read=_rotation_vector,
    present=lambda message: message.orientation_covariance[0] != UNKNOWN)
KIND = SensorKind(
    'orientation',
    measures='How a body is turned: a rotation vector from the axes of the mechanism; in space',
    unit='rad', sits_on='body', message=MESSAGE, is_rotation=True,
    space=Measurement({'body': BODY, 'rpy': RPY}, _read, orientation, orientation_jacobian))
