"""A reading of a pressure sensor [Pa]."""

from sensor_msgs.msg import FluidPressure

from mb_sensors.nodes.messages.kept_message import KeptMessage


class KeptPressure(KeptMessage):
    """A FluidPressure."""

    def made(self, sensors):
        """Return the message, and where the pressure belongs."""
        sensor, = sensors
        message = FluidPressure(variance=sensor.settings.variance)
        message.header.frame_id = sensor.name
        return message, [(message, 'fluid_pressure')]
