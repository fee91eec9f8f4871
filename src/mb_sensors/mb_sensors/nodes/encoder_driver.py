"""The driver of encoders: angles [rad] and lengths [m] as joint positions."""

from mb_ros.node_main import NodeMain
from mb_sensors.kinds import driven_by
from mb_sensors.nodes.sensor_driver import SensorDriver


class EncoderDriver(SensorDriver):
    """Reads encoders."""

    node_name = 'encoder_driver'
    kinds = driven_by(node_name)


main = NodeMain(EncoderDriver)
