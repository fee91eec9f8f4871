"""Position sensors: a PointStamped for every reading."""

from geometry_msgs.msg import PointStamped

from mb_ros.node_main import NodeMain
from mb_ros.stamps import stamp as time_stamp
from mb_sensors.nodes.sensor_driver import SensorDriver


class PositionDriver(SensorDriver):
    """Publishes places [m] in the frame of the mechanism."""

    kinds = ('position',)
    message_type = PointStamped

    def __init__(self, **options):
        super().__init__('position_driver', **options)

    def message_of(self, stamp, readings):
        """Return the place as a point of the plane; NaN along an axis that is not measured."""
        (sensor, values), = readings
        message = PointStamped()
        message.header.stamp = time_stamp(stamp)
        message.header.frame_id = self.mechanism.name
        message.point.x = message.point.y = float('nan')
        for axis, value in zip(sensor.axes, values, strict=True):
            setattr(message.point, axis, float(value))
        return message


main = NodeMain(PositionDriver)
