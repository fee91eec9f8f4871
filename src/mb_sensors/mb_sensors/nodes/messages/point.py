"""A reading of a position sensor: a place [m] in the frame of the mechanism."""

from geometry_msgs.msg import PointStamped

from mb_sensors.nodes.messages.kept_message import KeptMessage


class KeptPoint(KeptMessage):
    """A point of the plane; NaN along an axis that is not measured."""

    def made(self, sensors):
        """Return the message, and where the coordinates belong."""
        message, (sensor,) = PointStamped(), sensors
        message.header.frame_id = self._mechanism.name
        message.point.x = message.point.y = float('nan')
        return message, [(message.point, axis) for axis in sensor.axes]
