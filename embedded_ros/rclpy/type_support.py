"""Is a class an interface class?"""
from rclpy.exceptions import NoTypeSupportImportedException


def check_for_type_support(msg_or_srv_type):
    """Raise AttributeError, or NoTypeSupportImportedException, for what is no interface class."""
    try:
        support = type(msg_or_srv_type)._TYPE_SUPPORT
    except AttributeError as error:
        error.args = (
            error.args[0] + ' This might be a ROS 1 message type but it should be a ROS 2 message '
            'type. Make sure to source your ROS 2 workspace after your ROS 1 workspace.',
            *error.args[1:])
        raise
    if support is None:
        raise NoTypeSupportImportedException()


def check_is_valid_msg_type(msg_type):
    """Raise RuntimeError unless this is a message class."""
    check_for_type_support(msg_type)
    if not hasattr(msg_type, 'get_fields_and_field_types'):
        raise RuntimeError(
            f'The message type {msg_type} provided is not valid.'
            ' If this is a service or action, use the corresponding class.')


def check_is_valid_srv_type(srv_type):
    """Raise RuntimeError unless this is a service class."""
    check_for_type_support(srv_type)
    if not (hasattr(srv_type, 'Request') and hasattr(srv_type, 'Response')):
        raise RuntimeError(
            f'The service type {srv_type} provided is not valid.'
            ' If this is a message or action, use the corresponding class.')
