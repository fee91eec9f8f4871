"""Message classes by their rosidl types."""
from rosidl_runtime_py.utilities import get_message


def import_message_from_namespaced_type(message_type):
    """Class of a rosidl_parser.definition.NamespacedType."""
    return get_message('/'.join((*message_type.namespaces, message_type.name)))
