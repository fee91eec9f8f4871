"""Messages as YAML, CSV and dictionaries."""
from collections import OrderedDict

import yaml

_WIDTH = 2 ** 31 - 1        # no line is ever broken
_Dumper = getattr(yaml, 'CSafeDumper', yaml.SafeDumper)


class _MessageDumper(_Dumper):
    """Writes ordered dictionaries as plain YAML."""


_MessageDumper.add_representer(
    OrderedDict,
    lambda dumper, data: dumper.represent_mapping('tag:yaml.org,2002:map', data.items()))


def get_message_slot_types(msg):
    """{field name: rosidl type} of a message, in order."""
    return OrderedDict(zip(msg.get_fields_and_field_types(), msg.SLOT_TYPES, strict=True))


def message_to_ordereddict(msg, *, truncate_length=None):
    """{field name: plain value} of a message, nested messages alike.

    Strings and sequences longer than `truncate_length` end with '...'.
    """
    return OrderedDict((name, _convert_value(getattr(msg, name), truncate_length))
                       for name in msg.get_fields_and_field_types())


def message_to_yaml(msg, *, truncate_length=None):
    """YAML of a message, a line for each value."""
    values = message_to_ordereddict(msg, truncate_length=truncate_length)
    return yaml.dump(values, Dumper=_MessageDumper, allow_unicode=True, width=_WIDTH,
                     default_flow_style=False, sort_keys=False)


def message_to_csv(msg, *, truncate_length=None):
    """All values of a message, separated by commas; bytes as Python writes them."""
    return ','.join(_csv(getattr(msg, name), truncate_length)
                    for name in msg.get_fields_and_field_types())


def _csv(value, limit):
    if _is_message(value):
        return message_to_csv(value, truncate_length=limit)
    if isinstance(value, str):
        return _cut(value, limit)
    if isinstance(value, bytes):
        return str(value if limit is None or len(value) <= limit else value[:limit] + b'...')
    if not hasattr(value, '__len__'):
        return str(value)
    items = [_csv(item, limit) for item in value[:limit]]
    return ','.join(items if len(items) == len(value) else [*items, '...'])


def _convert_value(value, limit):
    """A value as numbers, strings, lists and ordered dictionaries."""
    if isinstance(value, str):
        return _cut(value, limit)
    if isinstance(value, bytes):
        return _cut(''.join(map(chr, value)), limit)
    if isinstance(value, bool | int | float):
        return value
    if _is_message(value):
        return message_to_ordereddict(value, truncate_length=limit)
    if not hasattr(value, '__len__'):
        return value.item()     # a number of numpy's
    first = value[:limit]
    items = first.tolist() if hasattr(first, 'tolist') else [
        _convert_value(item, limit) for item in first]
    return items if len(items) == len(value) else [*items, '...']


def _is_message(value):
    return hasattr(value, 'get_fields_and_field_types')


def _cut(text, limit):
    return text if limit is None or len(text) <= limit else f'{text[:limit]}...'
