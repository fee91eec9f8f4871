"""Readings out of the messages of sensors, of ours and of other makes.

The messages may be those of rclpy or those of a bag that is read without ROS.
"""


def _positions(sensors, message):
    """Return the positions of the joints named as the channels, or the only one without a name."""
    names, positions = message.name, message.position
    if not len(names) and len(positions) == len(sensors) == 1:
        return [(sensors[0].name, [positions[0]])]
    known = dict(zip(names, positions, strict=False))
    found = [(sensor.name, [known[channel] for channel in sensor.channels])
             for sensor in sensors if known.keys() >= set(sensor.channels)]
    return found or [(names[0] if len(names) else sensors[0].name, ())]


def _motion(sensors, message):
    """Return the rate about z and the accelerations along sensors' axes, as far as measured."""
    found = []
    for sensor in sensors:
        if sensor.kind == 'gyroscope':
            if message.angular_velocity_covariance[0] != _UNKNOWN:
                found.append((sensor.name, [message.angular_velocity.z]))
        elif message.linear_acceleration_covariance[0] != _UNKNOWN:
            found.append((sensor.name, [
                getattr(message.linear_acceleration, axis) for axis in sensor.axes]))
    return found or [(sensors[0].name, ())]


def _range(sensors, message):
    """Return the distance."""
    return [(sensors[0].name, [message.range])]


def _point(sensors, message):
    """Return the position along the sensor's axes."""
    return [(sensors[0].name, [getattr(message.point, axis) for axis in sensors[0].axes])]


def _pressure(sensors, message):
    """Return the pressure."""
    return [(sensors[0].name, [message.fluid_pressure])]


_UNKNOWN = -1.0      # first element of the covariance of what is not measured (REP-145)

# Kind of sensor -> type of its messages and (Sensors of a topic, message) -> [(name of who sends
# it, values)] of those that are in it; without values if there are none.
READING_MESSAGES = {
    'angle_encoder': ('sensor_msgs/msg/JointState', _positions),
    'relative_angle_encoder': ('sensor_msgs/msg/JointState', _positions),
    'linear_encoder': ('sensor_msgs/msg/JointState', _positions),
    'gyroscope': ('sensor_msgs/msg/Imu', _motion),
    'accelerometer': ('sensor_msgs/msg/Imu', _motion),
    'distance': ('sensor_msgs/msg/Range', _range),
    'position': ('geometry_msgs/msg/PointStamped', _point),
    'pressure': ('sensor_msgs/msg/FluidPressure', _pressure),
}
