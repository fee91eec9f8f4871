"""The message classes of sensors by their names."""

from geometry_msgs.msg import PointStamped
from sensor_msgs.msg import FluidPressure, Imu, JointState, Range

READING_TYPES = {
    'geometry_msgs/msg/PointStamped': PointStamped,
    'sensor_msgs/msg/FluidPressure': FluidPressure,
    'sensor_msgs/msg/Imu': Imu,
    'sensor_msgs/msg/JointState': JointState,
    'sensor_msgs/msg/Range': Range,
}
