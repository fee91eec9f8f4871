"""Readings of encoders: angles [rad] and lengths [m] as joint positions."""

from array import array

from sensor_msgs.msg import JointState

from mb_sensors.nodes.messages.kept_message import KeptMessage


class KeptJointState(KeptMessage):
    """A JointState whose joints are named for the channels, of the first sensor's frame."""

    def made(self, sensors):
        """Return the message; its positions need no places."""
        message = JointState(name=[channel for sensor in sensors for channel in sensor.channels])
        message.header.frame_id = sensors[0].body
        return message, ()

    def put(self, message, places, values):
        """Write all positions."""
        message.position = array('d', values)
