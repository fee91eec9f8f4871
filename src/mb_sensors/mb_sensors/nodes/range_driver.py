"""Distance sensors: a Range for every reading."""

from sensor_msgs.msg import Range

from mb_ros.node_main import NodeMain
from mb_ros.stamps import stamp as time_stamp
from mb_sensors.nodes.sensor_driver import SensorDriver


class RangeDriver(SensorDriver):
    """Publishes distances [m], in the single precision of that message."""

    kinds = ('distance',)
    message_type = Range

    def __init__(self, **options):
        super().__init__('range_driver', **options)

    def message_of(self, stamp, readings):
        """Return the distance as a Range without limits."""
        (sensor, values), = readings
        message = Range(radiation_type=Range.INFRARED, max_range=float('inf'),
                        range=float(values[0]), variance=sensor.settings.variance)
        message.header.stamp = time_stamp(stamp)
        message.header.frame_id = sensor.name
        return message


main = NodeMain(RangeDriver)
