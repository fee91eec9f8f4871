"""Messages as YAML, CSV and dictionaries, and the interfaces there are."""
from rosidl_runtime_py.convert import (
    get_message_slot_types,
    message_to_csv,
    message_to_ordereddict,
    message_to_yaml,
    set_message_fields,
)
from rosidl_runtime_py.utilities import (
    get_interface_packages,
    get_interface_path,
    get_interfaces,
)

__all__ = [
    'get_interface_packages', 'get_interface_path', 'get_interfaces', 'get_message_slot_types',
    'message_to_csv', 'message_to_ordereddict', 'message_to_yaml', 'set_message_fields']
