"""Inertial sensors: an Imu for every reading, after REP-145."""

from functools import lru_cache

import numpy as np
from sensor_msgs.msg import Imu

from mb_ros.node_main import NodeMain
from mb_ros.stamps import stamp as time_stamp
from mb_sensors.nodes.sensor_driver import SensorDriver

_UNKNOWN = -1.0      # first element of the covariance of what is not measured
_ANYTHING = 1e6      # variance along an axis that an accelerometer lacks [m^2/s^4]


@lru_cache
def covariance_of(variances):
    """Return the covariance (9) of three axes, row by row."""
    return np.diag(variances).ravel()


class ImuDriver(SensorDriver):
    """Publishes angular rates [rad/s] about z or specific forces [m/s^2], each sensor its own.

    Orientations are not measured.
    """

    kinds = ('gyroscope', 'accelerometer')
    message_type = Imu

    def __init__(self, **options):
        super().__init__('imu_driver', **options)

    def reading_message(self, sensor, stamp, values):
        """Return the rate, or the specific forces, as an Imu; what is not measured says so."""
        message = Imu()
        message.header.stamp = time_stamp(stamp)
        message.header.frame_id = sensor.body
        message.orientation_covariance[0] = _UNKNOWN
        variance = sensor.settings.variance
        if sensor.kind == 'gyroscope':
            message.angular_velocity.z = float(values[0])
            message.angular_velocity_covariance = covariance_of((variance,) * 3)
            message.linear_acceleration_covariance[0] = _UNKNOWN
            return message
        for axis, value in zip(sensor.axes, values, strict=True):
            setattr(message.linear_acceleration, axis, float(value))
        message.linear_acceleration_covariance = covariance_of(
            tuple(variance if axis in sensor.axes else _ANYTHING for axis in 'xyz'))
        message.angular_velocity_covariance[0] = _UNKNOWN
        return message


main = NodeMain(ImuDriver)
