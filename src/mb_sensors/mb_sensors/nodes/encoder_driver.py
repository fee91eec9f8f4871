"""Encoders of angles and lengths: a JointState for readings of one topic and instant."""

from sensor_msgs.msg import JointState

from mb_ros.node_main import NodeMain
from mb_ros.states import joint_state
from mb_sensors.nodes.sensor_driver import SensorDriver


class EncoderDriver(SensorDriver):
    """Publishes angles [rad] and lengths [m] as joint positions named for their channels."""

    kinds = ('angle_encoder', 'relative_angle_encoder', 'linear_encoder')
    message_type = JointState

    def __init__(self, **options):
        super().__init__('encoder_driver', **options)

    def message_of(self, stamp, readings):
        """Return the angles and lengths as a JointState, of the first one's frame."""
        message = joint_state(
            stamp, [channel for sensor, _ in readings for channel in sensor.channels],
            [value for _, values in readings for value in values])
        message.header.frame_id = readings[0][0].body
        return message


main = NodeMain(EncoderDriver)
