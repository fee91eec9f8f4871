"""The driver of position sensors: positions [m] in the frame of the mechanism."""

from mb_ros.node_main import NodeMain
from mb_sensors.kinds import driven_by
from mb_sensors.nodes.sensor_driver import SensorDriver


class PositionDriver(SensorDriver):
    """Reads position sensors."""

    node_name = 'position_driver'
    kinds = driven_by(node_name)


main = NodeMain(PositionDriver)
