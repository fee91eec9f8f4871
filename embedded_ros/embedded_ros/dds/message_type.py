"""The DDS type of a message class, as topics are made with it."""
from ..interfaces import dds_type_name, get_interface, interface_name

_EMPTY = [('structure_needs_at_least_one_member', 'uint8')]


def message_type(cls):
    """(DDS type name, fields, function for nested types) of a message class."""
    fields = list(cls.get_fields_and_field_types().items())
    return dds_type_name(interface_name(cls)), fields or _EMPTY, _nested


def _nested(name):
    package, _, rest = name.partition('/')
    name = name if rest.startswith('msg/') else f'{package}/msg/{rest}'
    return message_type(get_interface(name))[:2]
