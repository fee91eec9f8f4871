"""Check absolute topic and service names."""
from rclpy.exceptions import InvalidServiceNameException, InvalidTopicNameException
from rclpy.impl import names


def validate_full_topic_name(name: str, *, is_service: bool = False) -> bool:
    """Return True, or raise InvalidTopicNameException / InvalidServiceNameException."""
    fault = names.full_name_fault(name, 'topic name')
    if fault:
        raise (InvalidServiceNameException if is_service else InvalidTopicNameException)(
            name, *fault)
    return True
