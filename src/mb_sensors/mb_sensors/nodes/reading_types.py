"""The message classes of sensors."""

from rosidl_runtime_py.utilities import get_message

from mb_sensors.topics import SensorTopic


def reading_type(topic: SensorTopic) -> type:
    """Return the class of the messages of a SensorTopic."""
    return get_message(topic.message_type)
