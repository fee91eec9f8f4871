"""Messages as YAML, CSV and dictionaries, and the interfaces there are."""
from rosidl_runtime_py.convert import (
    get_message_slot_types,
    message_to_csv,
    message_to_ordereddict,
    message_to_yaml,
)
from rosidl_runtime_py.get_interfaces import (
    get_interface_packages,
    get_interface_path,
    get_interfaces,
)
from rosidl_runtime_py.set_message import set_message_fields

__all__ = [
    'get_interface_packages', 'get_interface_path', 'get_interfaces', 'get_message_slot_types',
    'message_to_csv', 'message_to_ordereddict', 'message_to_yaml', 'set_message_fields']
