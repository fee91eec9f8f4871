"""The driver of pressure sensors [Pa]."""

from mb_ros.node_main import NodeMain
from mb_sensors.kinds import driven_by
from mb_sensors.nodes.sensor_driver import SensorDriver


class PressureDriver(SensorDriver):
    """Reads pressure sensors."""

    node_name = 'pressure_driver'
    kinds = driven_by(node_name)


main = NodeMain(PressureDriver)
