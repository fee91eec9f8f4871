"""Type descriptions and their hashes, as REP-2016 defines them.

A description is {'type_description': {...}, 'referenced_type_descriptions': [...]}; its hash is the
SHA-256 of that as JSON, written 'RIHS01_' and 64 hex digits.
"""
import hashlib
import json

from .derived import SERVICE_PARTS, is_action, is_service, message_spec
from .names import split_name
from .spec import DUMMY_FIELD, Field, FieldType

NESTED = 1
SCALAR_IDS = {'int8': 2, 'uint8': 3, 'char': 3, 'int16': 4, 'uint16': 5, 'int32': 6, 'uint32': 7,
              'int64': 8, 'uint64': 9, 'float32': 10, 'float64': 11, 'bool': 15, 'byte': 16,
              'string': 17, 'wstring': 18}
BOUNDED_STRING_IDS = {'string': 21, 'wstring': 22}
ARRAY, BOUNDED_SEQUENCE, UNBOUNDED_SEQUENCE = 48, 96, 144  # added to the id of the element


def type_description(name):
    """Description of a message, service or action as nested dicts, keys in the order to hash."""
    individual = _individual(name)
    referenced, pending = {}, _references(individual)
    while pending:
        other = pending.pop()
        if other not in referenced:
            referenced[other] = _individual(other)
            pending += _references(referenced[other])
    return {'type_description': individual,
            'referenced_type_descriptions': [referenced[key] for key in sorted(referenced)]}


def type_hash(name):
    """'RIHS01_...' of a message, service or action."""
    text = json.dumps(type_description(name))
    return 'RIHS01_' + hashlib.sha256(text.encode()).hexdigest()


def _individual(name):
    fields = _fields(name) or (Field(DUMMY_FIELD, FieldType('uint8')),)
    return {'type_name': name, 'fields': [_field(field) for field in fields]}


def _fields(name):
    if is_service(name):
        return [Field(f'{part.lower()}_message', FieldType(f'{name}_{part}'))
                for part in SERVICE_PARTS]
    if is_action(name):
        parts = [('goal', 'Goal'), ('result', 'Result'), ('feedback', 'Feedback'),
                 ('send_goal_service', 'SendGoal'), ('get_result_service', 'GetResult'),
                 ('feedback_message', 'FeedbackMessage')]
        return [Field(field, FieldType(f'{name}_{part}')) for field, part in parts]
    return message_spec(name).fields


def _field(field):
    kind = field.type
    if kind.is_message:
        type_id = NESTED
    elif kind.string_bound:
        type_id = BOUNDED_STRING_IDS[kind.element]
    else:
        type_id = SCALAR_IDS[kind.element]
    if kind.container == 'array':
        type_id += ARRAY
    elif kind.container == 'sequence':
        type_id += BOUNDED_SEQUENCE if kind.size else UNBOUNDED_SEQUENCE
    return {'name': field.name, 'type': {
        'type_id': type_id, 'capacity': kind.size, 'string_capacity': kind.string_bound,
        'nested_type_name': kind.element if kind.is_message else ''}}


def _references(individual):
    names = [field['type']['nested_type_name'] for field in individual['fields']]
    return [name for name in names if name]


def canonical(name):
    """'std_msgs/String' -> 'std_msgs/msg/String'."""
    return '/'.join(split_name(name))
