"""The DDS type of a message class, as topics are made with it."""
from ..interfaces import dds_type_name, get_interface, interface_name

_EMPTY = [('structure_needs_at_least_one_member', 'uint8')]


def message_type(cls):
    """(DDS type name, fields, function for nested types) of a message class."""
    fields = list(cls.get_fields_and_field_types().items())
    return dds_type_name(interface_name(cls)), fields or _EMPTY, _nested


def _nested(name):
    """The type of a field 'pkg/Name'; only parts of services and actions have a '_' in it."""
    package, _, base = name.partition('/')
    suffix = base.rpartition('_')[2] if '_' in base else ''
    kind = {'Goal': 'action', 'Result': 'action', 'Feedback': 'action', 'Request': 'srv',
            'Response': 'srv'}.get(suffix, 'msg')
    return message_type(get_interface(f'{package}/{kind}/{base}'))[:2]
