"""Interface classes by their names."""
from importlib import import_module


def get_interface(identifier):
    """Class of 'std_msgs/msg/String' (or 'std_msgs/String'), 'std_srvs/srv/Trigger', ...

    Raises ValueError for a malformed name, ModuleNotFoundError for an unknown package,
    AttributeError for an unknown interface.
    """
    parts = identifier.split('/')
    if len(parts) == 2:
        parts.insert(1, 'msg')
    if len(parts) != 3 or not all(parts):
        raise ValueError(
            f"Invalid interface name '{identifier}', expected a form like 'std_msgs/msg/String'")
    return getattr(import_module('.'.join(parts[:2])), parts[2])


def is_message(interface):
    """Whether it is the class of a message."""
    return hasattr(interface, 'get_fields_and_field_types')


def is_service(interface):
    """Whether it is the class of a service."""
    return hasattr(interface, 'Request') and hasattr(interface, 'Response')


def get_message(identifier):
    """Class of a message; as get_interface, and ValueError if it is none."""
    return _checked(identifier, is_message, 'message')


def get_service(identifier):
    """Class of a service; as get_interface, and ValueError if it is none."""
    return _checked(identifier, is_service, 'service')


def _checked(identifier, is_right, kind):
    interface = get_interface(identifier)
    if not is_right(interface):
        raise ValueError(f"Expected the full name of a {kind}, got '{identifier}'")
    return interface
