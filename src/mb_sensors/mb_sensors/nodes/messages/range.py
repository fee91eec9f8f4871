"""A reading of a distance sensor [m], in the single precision of its message."""

import numpy as np
from sensor_msgs.msg import Range

from mb_sensors.nodes.messages.kept_message import KeptMessage


class KeptRange(KeptMessage):
    """A Range without limits."""

    def made(self, sensors):
        """Return the message, and where the distance belongs."""
        sensor, = sensors
        message = Range(radiation_type=Range.INFRARED, max_range=float('inf'),
                        variance=sensor.settings.variance)
        message.header.frame_id = sensor.name
        return message, ()

    def put(self, message, places, values):
        """Write the distance as it arrives, also where the message is not sent."""
        message.range = float(np.float32(values[0]))
