"""Readings out of the messages of sensors, of ours and of other makes.

The messages may be those of rclpy or those of a bag that is read without ROS.
"""

from functools import partial
from operator import attrgetter


class _Positions:
    """The positions of the joints named as the channels, or the only one without a name."""

    def __init__(self, sensors):
        self._sensors = sensors
        self._known, self._places = None, ()    # of what messages; [(sensor, places)] in those

    def __call__(self, message):
        names, positions = message.name, message.position
        if (names, len(positions)) != self._known:      # mostly they are those of the last message
            self._known = list(names), len(positions)
            self._places = self._found(*self._known)
        return [(name, [positions[k] for k in places]) for name, places in self._places]

    def _found(self, names, count):
        first = self._sensors[0].name
        if not names and count == len(self._sensors) == 1:
            return [(first, [0])]
        known = {name: k for k, name in enumerate(names[:count])}
        return [(sensor.name, [known[channel] for channel in sensor.channels])
                for sensor in self._sensors if known.keys() >= set(sensor.channels)
                ] or [(names[0] if names else first, [])]


class _Motion:
    """The rate about z and the accelerations along sensors' axes, as far as measured."""

    def __init__(self, sensors):
        self._parts = []        # of the message: (sensor, vector, its covariance, axes)
        for sensor in sensors:
            vector, axes = ('angular_velocity', 'z') if sensor.kind == 'gyroscope' else (
                'linear_acceleration', sensor.axes)
            self._parts.append((sensor.name, vector, f'{vector}_covariance', axes))

    def __call__(self, message):
        found = []
        for name, vector, covariance, axes in self._parts:
            if getattr(message, covariance)[0] != _UNKNOWN:
                measured = getattr(message, vector)
                found.append((name, [getattr(measured, axis) for axis in axes]))
        return found or [(self._parts[0][0], [])]


class _Fields:
    """The numbers in some fields of the message of a single sensor."""

    def __init__(self, fields_of, sensors):
        self._name = sensors[0].name
        self._fields = [attrgetter(field) for field in fields_of(sensors[0])]

    def __call__(self, message):
        return [(self._name, [field(message) for field in self._fields])]


_UNKNOWN = -1.0      # first element of the covariance of what is not measured (REP-145)

# Kind of sensor -> type of its messages and what makes, of the Sensors of a topic, a function
# message -> [(name of who sends it, values)] of those that are in it; no values if there are none.
READING_MESSAGES = {
    'angle_encoder': ('sensor_msgs/msg/JointState', _Positions),
    'relative_angle_encoder': ('sensor_msgs/msg/JointState', _Positions),
    'linear_encoder': ('sensor_msgs/msg/JointState', _Positions),
    'gyroscope': ('sensor_msgs/msg/Imu', _Motion),
    'accelerometer': ('sensor_msgs/msg/Imu', _Motion),
    'distance': ('sensor_msgs/msg/Range', partial(_Fields, lambda _: ['range'])),
    'position': ('geometry_msgs/msg/PointStamped', partial(
        _Fields, lambda sensor: [f'point.{axis}' for axis in sensor.axes])),
    'pressure': ('sensor_msgs/msg/FluidPressure', partial(_Fields, lambda _: ['fluid_pressure'])),
}
