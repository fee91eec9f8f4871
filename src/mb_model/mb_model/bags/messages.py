"""Messages as bags hold them, by the definitions of the installed mb_interfaces."""

from pathlib import Path
import re
from typing import Any

from rosbags.interfaces import Nodetype
from rosbags.serde import SerdeError
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore


class BagError(ValueError):
    """A bag that cannot be read or written; one line, whatever rosbag2 or its storage raised."""


def in_words(error: BaseException) -> str:
    """Return an exception in one line."""
    return ' '.join(str(error).split()) or type(error).__name__


STATE_TYPE = 'mb_interfaces/msg/MechanismState'
SECOND = 1_000_000_000
_OF_CONTROL = {
    'InterfaceValue': 'string[] interface_names\nfloat64[] values\n',
    'DynamicJointState': 'std_msgs/Header header\nstring[] joint_names\n'
                         'control_msgs/InterfaceValue[] interface_values\n'}
_HEAD = 4           # bytes before the first value, which state their order
_GAP = 8            # bytes, more than before any value


def message_types(*others: str) -> Typestore:
    """Return the store of message types with MechanismState and others of mb_interfaces by name.

    And with the one of control_msgs that is read, which need not be installed for that.
    """
    types = get_typestore(Stores.ROS2_JAZZY)
    try:
        from ament_index_python.packages import get_package_share_directory  # only with ROS 2
        share = Path(get_package_share_directory('mb_interfaces'))
    except (ModuleNotFoundError, LookupError):
        raise ValueError('bags need the package mb_interfaces, which is not installed: source a '
                         'ROS 2 with it, or run `make setup` in a clone') from None
    for name in ('MechanismState', *others):
        definition = (share / 'msg' / f'{name}.msg').read_text(encoding='utf-8')
        types.register(get_types_from_msg(definition, f'mb_interfaces/msg/{name}'))
    for name, definition in _OF_CONTROL.items():
        types.register(get_types_from_msg(definition, f'control_msgs/msg/{name}'))
    return types


def deserialized(types: Typestore, data: bytes, kind: str) -> Any:
    """Return a message of a type from its bytes.

    Behind it may be what Fast DDS's serialize_message leaves there: it takes room for the widest
    gap before each value, and fills in nothing.  rosbags accepts three bytes.
    Text that is no UTF-8, which nodes read all the same, has a '?' for each such byte.
    Raises what rosbags runs into in bytes that are no such message.
    """
    try:
        return types.deserialize_cdr(data, kind)
    except SerdeError:
        definition = types.get_msgdef(kind)
        read = definition.deserialize_cdr_le if data[1] else definition.deserialize_cdr_be
        try:
            message, end = read(data[_HEAD:], 0, definition.cls, types)
        except UnicodeDecodeError as error:
            mended = _with_text(data, error.object)
            if mended == data:
                raise
            return deserialized(types, mended, kind)
        if not _HEAD + end <= len(data) <= _HEAD + end + _GAP * _values_in(types, kind):
            raise
        return message


def _with_text(data: bytes, text: bytes) -> bytes:
    """Return the bytes of a message, with what is no UTF-8 in a text of it replaced by '?'."""
    length = (len(text) + 1).to_bytes(4, 'little' if data[1] else 'big')
    right = re.sub('[\udc80-\udcff]', '?', text.decode(errors='surrogateescape')).encode()
    return bytes(data).replace(length + text, length + right, 1)


def tidied(types: Typestore, data: bytes, kind: str) -> bytes:
    """Return the bytes of a message with zeros in all gaps, and nothing behind it.

    serialize_message leaves there whatever was in memory: bags of the same messages would differ.
    """
    return bytes(types.serialize_cdr(deserialized(types, data, kind), kind))


def _values_in(types: Typestore, kind: str) -> int:
    """Return how many values, arrays counted as one with their length, a message type has."""
    count = 0
    fields: Any = types.get_msgdef(kind).fields
    for _, (node, value) in fields:
        if node in (Nodetype.ARRAY, Nodetype.SEQUENCE):
            (node, value), count = value[0], count + 1
        count += _values_in(types, value) if node == Nodetype.NAME else 2
    return count


def stamp_of(message: Any) -> int:
    """Return the stamp of a message [ns]."""
    return message.header.stamp.sec * SECOND + message.header.stamp.nanosec
