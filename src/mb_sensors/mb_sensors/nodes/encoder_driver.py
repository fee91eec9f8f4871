"""Encoders of angles and lengths: a JointState for every reading."""

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

    def reading_message(self, sensor, stamp, values):
        """Return the angle or length as a JointState."""
        message = joint_state(stamp, sensor.channels, values)
        message.header.frame_id = sensor.body
        return message


main = NodeMain(EncoderDriver)
