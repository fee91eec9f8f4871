"""The DDS type of a message class, as topics are made with it."""
from ..interfaces import dds_type_name, field_types, interface_name

_EMPTY = [('structure_needs_at_least_one_member', 'uint8')]


def message_type(cls):
    """(DDS type name, fields, function for nested types) of a message class."""
    return message_type_of(interface_name(cls))


def message_type_of(name):
    """The same of a message by its name, 'pkg/msg/Name'."""
    return dds_type_name(name), list(field_types(name).items()) or _EMPTY, _nested


def _nested(name):
    """The type of a field 'pkg/Name'; only parts of services and actions have a '_' in it."""
    package, _, base = name.partition('/')
    suffix = base.rpartition('_')[2] if '_' in base else ''
    kind = {'Goal': 'action', 'Result': 'action', 'Feedback': 'action', 'Request': 'srv',
            'Response': 'srv'}.get(suffix, 'msg')
    return message_type_of(f'{package}/{kind}/{base}')[:2]
