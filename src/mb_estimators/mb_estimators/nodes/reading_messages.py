"""Readings out of the messages of sensors, of ours and of other makes."""

from sensor_msgs.msg import FluidPressure, Imu, JointState


def _angles(sensor, message):
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
    """Return the angular rate about z."""
    return sensor.name, [message.angular_velocity.z]


def _pressure(sensor, message):
    """Return the pressure."""
    return sensor.name, [message.fluid_pressure]


# Kind of sensor -> message type and (sensor, message) -> (name of who sends it, values).
READING_MESSAGES = {
    'angle_encoder': (JointState, _angles),
    'gyroscope': (Imu, _rate),
    'pressure': (FluidPressure, _pressure),
}
