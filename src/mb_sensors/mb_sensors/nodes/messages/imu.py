"""Readings of inertial sensors: angular rates [rad/s], specific forces [m/s^2] (REP-145)."""

import numpy as np
from sensor_msgs.msg import Imu

from mb_sensors.nodes.messages.kept_message import KeptMessage

_UNKNOWN = -1.0      # first element of the covariance of what is not measured
_ANYTHING = 1e6      # variance along an axis that an accelerometer lacks [m^2/s^4]


class KeptImu(KeptMessage):
    """An Imu with rates about z and no orientation; what is not measured says so."""

    def made(self, sensors):
        """Return the message, and where rate and forces belong."""
        message, places = Imu(), []
        message.header.frame_id = sensors[0].body
        message.orientation_covariance[0] = _UNKNOWN
        message.angular_velocity_covariance[0] = _UNKNOWN
        message.linear_acceleration_covariance[0] = _UNKNOWN
        for sensor in sensors:
            variance = sensor.settings.variance
            if sensor.kind == 'gyroscope':
                places.append((message.angular_velocity, 'z'))
                message.angular_velocity_covariance = np.diag([variance] * 3).ravel()
                continue
            places += [(message.linear_acceleration, axis) for axis in sensor.axes]
            message.linear_acceleration_covariance = np.diag(
                [variance if axis in sensor.axes else _ANYTHING for axis in 'xyz']).ravel()
        return message, places
