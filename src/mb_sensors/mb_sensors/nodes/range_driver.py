"""The driver of distance sensors [m], in the single precision of their message."""

from mb_ros.node_main import NodeMain
from mb_sensors.nodes.sensor_driver import SensorDriver


class RangeDriver(SensorDriver):
    """Reads distance sensors."""

    node_name = 'range_driver'
    kinds = ('distance',)


main = NodeMain(RangeDriver)
