"""Messages to bytes and back."""
from embedded_ros.interfaces import CDRError, deserialize, serialize

from rclpy.impl.errors import RMWError
from rclpy.type_support import check_for_type_support


def serialize_message(message) -> bytes:
    """Encode a message as CDR, little endian, with its 4-byte header."""
    check_for_type_support(type(message))
    return serialize(message)


def deserialize_message(serialized_message: bytes, message_type):
    """Decode bytes; RMWError where they are no message of this type."""
    check_for_type_support(message_type)
    try:
        return deserialize(serialized_message, message_type)
    except CDRError as error:
        raise RMWError(f'failed to deserialize ROS message: {error}') from None
