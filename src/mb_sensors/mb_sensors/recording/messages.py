"""Readings out of the messages of sensors, of ours and of other makes.

The messages may be those of rclpy or those of a bag that is read without ROS.
"""


def _positions(sensor, message):
    """Return the positions of the joints named as the sensor's channels, or the only one."""
    names = list(message.name)
    if not names and len(message.position) == 1:
        return sensor.name, list(message.position)
    strangers = [name for name in sensor.channels if name not in names]
    if strangers and names:
        return names[0], ()
    places = [names.index(name) for name in sensor.channels if name in names]
    return sensor.name, [message.position[i] for i in places if i < len(message.position)]


def _rate(sensor, message):
    """Return the angular rate about z, nothing if the message says that it is not measured."""
    if message.angular_velocity_covariance[0] == _UNKNOWN:
        return sensor.name, ()
    return sensor.name, [message.angular_velocity.z]


def _specific_force(sensor, message):
    """Return the accelerations along the sensor's axes, nothing if they are not measured."""
    if message.linear_acceleration_covariance[0] == _UNKNOWN:
        return sensor.name, ()
    return sensor.name, [getattr(message.linear_acceleration, axis) for axis in sensor.axes]


def _range(sensor, message):
    """Return the distance."""
    return sensor.name, [message.range]


def _point(sensor, message):
    """Return the position along the sensor's axes."""
    return sensor.name, [getattr(message.point, axis) for axis in sensor.axes]


def _pressure(sensor, message):
    """Return the pressure."""
    return sensor.name, [message.fluid_pressure]


_UNKNOWN = -1.0      # first element of the covariance of what is not measured (REP-145)

# Kind of sensor -> type of its messages and (sensor, message) -> (name of who sends it, values).
READING_MESSAGES = {
    'angle_encoder': ('sensor_msgs/msg/JointState', _positions),
    'relative_angle_encoder': ('sensor_msgs/msg/JointState', _positions),
    'linear_encoder': ('sensor_msgs/msg/JointState', _positions),
    'gyroscope': ('sensor_msgs/msg/Imu', _rate),
    'accelerometer': ('sensor_msgs/msg/Imu', _specific_force),
    'distance': ('sensor_msgs/msg/Range', _range),
    'position': ('geometry_msgs/msg/PointStamped', _point),
    'pressure': ('sensor_msgs/msg/FluidPressure', _pressure),
}
