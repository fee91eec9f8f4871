"""Inertial sensors: an Imu for every reading, after REP-145."""

import numpy as np
from sensor_msgs.msg import Imu

from mb_ros.node_main import run
from mb_ros.stamps import stamp as time_stamp
from mb_sensors.nodes.motion_driver import MotionDriver

_UNKNOWN = -1.0      # first element of the covariance of what is not measured


class ImuDriver(MotionDriver):
    """Publishes angular rates [rad/s] about z; orientation and acceleration are not measured."""

    kind = 'gyroscope'
    message_type = Imu

    def __init__(self):
        super().__init__('imu_driver')

    def reading_message(self, sensor, stamp, values):
        """Return the rate as an Imu."""
        message = Imu()
        message.header.stamp = time_stamp(stamp)
        message.header.frame_id = sensor.body
        message.angular_velocity.z = float(values[0])
        variance = sensor.settings.variance
        message.angular_velocity_covariance = np.diag([variance] * 3).ravel()
        message.orientation_covariance[0] = _UNKNOWN
        message.linear_acceleration_covariance[0] = _UNKNOWN
        return message


def main():
    """Run the node."""
    run(ImuDriver)
