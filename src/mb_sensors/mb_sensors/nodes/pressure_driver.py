"""Pressure sensors: a FluidPressure for every reading."""

from sensor_msgs.msg import FluidPressure

from mb_ros.node_main import NodeMain
from mb_ros.stamps import stamp as time_stamp
from mb_sensors.nodes.sensor_driver import SensorDriver


class PressureDriver(SensorDriver):
    """Publishes pressures [Pa]."""

    kinds = ('pressure',)
    message_type = FluidPressure

    def __init__(self, **options):
        super().__init__('pressure_driver', **options)

    def message_of(self, stamp, readings):
        """Return the pressure as a FluidPressure."""
        (sensor, values), = readings
        message = FluidPressure(
            fluid_pressure=float(values[0]), variance=sensor.settings.variance)
        message.header.stamp = time_stamp(stamp)
        message.header.frame_id = sensor.name
        return message


main = NodeMain(PressureDriver)
