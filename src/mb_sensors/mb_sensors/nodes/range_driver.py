"""The driver of distance sensors [m], in the single precision of their message."""

from mb_ros.node_main import NodeMain
from mb_sensors.kinds import driven_by
from mb_sensors.nodes.sensor_driver import SensorDriver


class RangeDriver(SensorDriver):
    """Reads distance sensors."""

    node_name = 'range_driver'
    kinds = driven_by(node_name)


main = NodeMain(RangeDriver)
