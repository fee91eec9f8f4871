"""The driver of position sensors: places [m] in the frame of the mechanism."""

from mb_ros.node_main import NodeMain
from mb_sensors.nodes.sensor_driver import SensorDriver


class PositionDriver(SensorDriver):
    """Reads position sensors."""

    node_name = 'position_driver'
    kinds = ('position',)


main = NodeMain(PositionDriver)
