"""Messages of readings, of which all but stamp and numbers is kept."""

from collections.abc import Sequence
from typing import Any

from rosidl_runtime_py.utilities import get_message

from mb_ros.stamps import set_stamp
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.sensor import Sensor
from mb_sensors.topics import SensorTopic


def reading_type(topic: SensorTopic) -> type:
    """Return the class of the messages of a SensorTopic.

    Raises SensorError where the package of the type is not installed.
    """
    try:
        return get_message(topic.message_type)
    except (ModuleNotFoundError, AttributeError):
        package = topic.message_type.partition('/')[0]
        raise SensorError(
            f'{topic.sensors[0].name}: topic: {topic.sensors[0].topic}: messages of type '
            f'{topic.message_type} need the package {package}, which is not installed here; '
            'expected to find it beside rclpy, as after `apt install '
            f'ros-$ROS_DISTRO-{package.replace("_", "-")}`') from None


class KeptMessage:
    """The message of a topic of sensors, filled anew for every instant."""

    def __init__(self, topic: SensorTopic, frame: str) -> None:
        """Set up for a SensorTopic; frame: of the mechanism, its name."""
        self._codec, self._class = topic.codec, reading_type(topic)
        self._frame = frame
        self._sensors: list[Sensor] = []
        self._message: Any = None
        self._slots: Any = ()

    @property
    def is_plain(self) -> bool:
        """Whether values stand in the message as they are."""
        return self._codec.is_plain

    def filled(self, stamp: int, readings: Sequence[tuple[Sensor, Sequence[float]]]) -> Any:
        """Return the message of [(Sensor, values (channels))] at a stamp [ns]; until the next."""
        sensors = [sensor for sensor, _ in readings]
        if sensors != self._sensors:
            self._message = self._class()
            self._slots = self._codec.prepare(self._message, sensors, self._frame)
            self._sensors = sensors
        set_stamp(self._message.header.stamp, stamp)
        self._codec.put(self._message, self._slots,
                        [value for _, values in readings for value in values])
        return self._message
