"""Inertial sensors: an Imu for readings of one topic and instant, after REP-145."""

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
    """Publishes angular rates [rad/s] about z and specific forces [m/s^2], no orientations."""

    kinds = ('gyroscope', 'accelerometer')
    message_type = Imu

    def __init__(self, **options):
        super().__init__('imu_driver', **options)

    def message_of(self, stamp, readings):
        """Return the rate and the specific forces as an Imu; what is not measured says so."""
        message = Imu()
        message.header.stamp = time_stamp(stamp)
        message.header.frame_id = readings[0][0].body
        message.orientation_covariance[0] = _UNKNOWN
        message.angular_velocity_covariance[0] = _UNKNOWN
        message.linear_acceleration_covariance[0] = _UNKNOWN
        for sensor, values in readings:
            variance = sensor.settings.variance
            if sensor.kind == 'gyroscope':
                message.angular_velocity.z = float(values[0])
                message.angular_velocity_covariance = covariance_of((variance,) * 3)
                continue
            for axis, value in zip(sensor.axes, values, strict=True):
                setattr(message.linear_acceleration, axis, float(value))
            message.linear_acceleration_covariance = covariance_of(
                tuple(variance if axis in sensor.axes else _ANYTHING for axis in 'xyz'))
        return message


main = NodeMain(ImuDriver)
