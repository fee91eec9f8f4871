"""Messages of orientations: the quaternion of an Imu (REP-145), alone in it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from mb_sensors.messages.codec import Reader

_UNKNOWN = -1.0      # first element of the covariance of vectors that are not measured


class OrientationMessage:
    """The codec of an Imu whose orientation is measured: rotation vectors as quaternions."""

    type_name = 'sensor_msgs/msg/Imu'
    together = ''

    def fits(self, sensors: Sequence[Any]) -> bool:
        """Return whether a message holds a reading of each Sensor."""
        return len(sensors) == 1

    def prepare(self, message: Any, sensors: Sequence[Any], frame: str) -> Sequence[Any]:
        """Write the noise, and return the quaternion."""
        message.header.frame_id = sensors[0].body
        message.angular_velocity_covariance[0] = _UNKNOWN
        message.linear_acceleration_covariance[0] = _UNKNOWN
        message.orientation_covariance = (
            sensors[0].settings.variance * np.eye(3)).ravel()
        return [message.orientation]

    def put(self, message: Any, places: Sequence[Any], values: Sequence[float]) -> None:
        """Write a rotation vector."""
        one, = places
        one.x, one.y, one.z, one.w = _rotation().from_rotvec(values).as_quat().tolist()

    def reader(self, sensors: Sequence[Any]) -> Reader:
        """Return a function message -> [(name of the sensor, values)]."""
        return partial(_read, sensors[0].name)


def _rotation():
    """Return scipy's class: imported when it is used, other sensors need not wait for it."""
    from scipy.spatial.transform import Rotation
    return Rotation


def _read(name, message):
    if message.orientation_covariance[0] == _UNKNOWN:
        return [(name, [])]
    one = np.array([getattr(message.orientation, axis) for axis in 'xyzw'])
    size = float(np.linalg.norm(one))
    if not (np.isfinite(size) and size > 0.0):
        return [(name, [float('nan')] * 3)]
    return [(name, _rotation().from_quat(one).as_rotvec().tolist())]


ORIENTATION = OrientationMessage()
