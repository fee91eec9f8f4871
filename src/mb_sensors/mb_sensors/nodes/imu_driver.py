"""The driver of inertial sensors: angular rates [rad/s] and specific forces [m/s^2]."""

from mb_ros.node_main import NodeMain
from mb_sensors.kinds import driven_by
from mb_sensors.nodes.sensor_driver import SensorDriver


class ImuDriver(SensorDriver):
    """Reads gyroscopes and accelerometers."""

    node_name = 'imu_driver'
    kinds = driven_by(node_name)


main = NodeMain(ImuDriver)
