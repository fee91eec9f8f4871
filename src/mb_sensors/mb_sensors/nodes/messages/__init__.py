"""Messages of readings, one file per type: KeptMessages by the names of their types."""

from mb_sensors.nodes.messages.imu import KeptImu
from mb_sensors.nodes.messages.joint_state import KeptJointState
from mb_sensors.nodes.messages.point import KeptPoint
from mb_sensors.nodes.messages.pressure import KeptPressure
from mb_sensors.nodes.messages.range import KeptRange

MESSAGES = {
    'geometry_msgs/msg/PointStamped': KeptPoint,
    'sensor_msgs/msg/FluidPressure': KeptPressure,
    'sensor_msgs/msg/Imu': KeptImu,
    'sensor_msgs/msg/JointState': KeptJointState,
    'sensor_msgs/msg/Range': KeptRange,
}
