"""Names of interfaces: 'package/kind/Name', their parts, their DDS form, their module."""
import re

KINDS = ('msg', 'srv', 'action')


def split_name(name):
    """Split 'std_msgs/msg/String' (or 'std_msgs/String', a message) into its three parts."""
    parts = name.split('/')
    if len(parts) == 2:
        parts.insert(1, 'msg')
    if len(parts) != 3 or parts[1] not in KINDS or not all(parts):
        raise ValueError(f"'{name}' is no interface name; expected package/msg/Name, "
                         'package/srv/Name or package/action/Name')
    return tuple(parts)


def dds_type_name(name):
    """Name of a message type on the wire: 'std_msgs::msg::dds_::String_'."""
    package, kind, base = split_name(name)
    return f'{package}::{kind}::dds_::{base}_'


def snake_case(name):
    """'TFMessage' -> 'tf_message', as rosidl names its modules and headers."""
    name = re.sub('(.)([A-Z][a-z]+)', r'\1_\2', name)
    return re.sub('([a-z0-9])([A-Z])', r'\1_\2', name).lower()
