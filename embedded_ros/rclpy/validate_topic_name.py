"""Check topic and service names as programs give them."""
from rclpy.exceptions import InvalidServiceNameException, InvalidTopicNameException
from rclpy.impl import names

TOPIC_SEPARATOR_STRING = '/'


def validate_topic_name(name: str, *, is_service: bool = False) -> bool:
    """Return True, or raise InvalidTopicNameException / InvalidServiceNameException.

    The name may be relative, private ('~/x') and contain substitutions ('{node}/x').
    """
    fault = names.topic_name_fault(name)
    if fault:
        raise (InvalidServiceNameException if is_service else InvalidTopicNameException)(
            name, *fault)
    return True
