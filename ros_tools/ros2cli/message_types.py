"""Message and service types named on the command line or found in the graph."""
from rosidl_runtime_py.utilities import get_message, get_service

from ros2cli.names import Kind


def message_class(name):
    """The message class of this name.  Raises RuntimeError."""
    return _class_of(name, get_message, 'message')


def service_class(name):
    """The service class of this name.  Raises RuntimeError."""
    return _class_of(name, get_service, 'service')


def _class_of(name, get, kind):
    try:
        return get(name)
    except (AttributeError, ModuleNotFoundError, ValueError, LookupError):
        raise RuntimeError(f'The passed {kind} type is invalid') from None


def find_topic_type(node, topic):
    """Name of the type of a topic, once it is there, or None; RuntimeError if there are several."""
    from rclpy.expand_topic_name import expand_topic_name
    from rclpy.validate_full_topic_name import validate_full_topic_name
    name = expand_topic_name(topic, node.get_name(), node.get_namespace())
    validate_full_topic_name(name)
    types = Kind('topic').types_of(node, name)
    if not types:
        return None
    if len(types) > 1:
        raise RuntimeError(f"Cannot echo topic '{topic}', as it contains more than one type: "
                           f"[{', '.join(types)}]")
    return types[0]


def topic_class(node, topic, type_name=None):
    """Message class of a topic: of the type given, else of the type in the graph.

    Raises RuntimeError if it is not known.
    """
    type_name = type_name or find_topic_type(node, topic)
    if type_name is None:
        print(f'WARNING: topic [{topic}] does not appear to be published yet')
        raise RuntimeError('Could not determine the type for the passed topic')
    return message_class(type_name)
