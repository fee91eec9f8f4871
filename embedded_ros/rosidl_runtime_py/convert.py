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


def message_to_ordereddict(msg, *, truncate_length=None, no_arr=False, no_str=False):
    """{field name: plain value} of a message, nested messages alike.

    Strings and sequences longer than `truncate_length` end with '...'; `no_arr`, `no_str` give a
    short description in the place of arrays, strings.
    """
    return OrderedDict(
        (name, _plain(getattr(msg, name), kind, truncate_length, no_arr, no_str))
        for name, kind in get_message_slot_types(msg).items())


def message_to_yaml(msg, *, truncate_length=None, no_arr=False, no_str=False, flow_style=False):
    """YAML of a message, a line for each value unless `flow_style`."""
    values = message_to_ordereddict(
        msg, truncate_length=truncate_length, no_arr=no_arr, no_str=no_str)
    return yaml.dump(values, Dumper=_MessageDumper, allow_unicode=True, width=_WIDTH,
                     default_flow_style=flow_style, sort_keys=False)


def message_to_csv(msg, *, truncate_length=None, no_arr=False, no_str=False):
    """All values of a message, separated by commas."""
    values = message_to_ordereddict(
        msg, truncate_length=truncate_length, no_arr=no_arr, no_str=no_str)
    return _csv(values)


def _csv(value):
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return str(value)
    return ','.join(map(_csv, value))


def _plain(value, kind, limit, no_arr, no_str):
    """A field's value as numbers, strings, lists and ordered dictionaries."""
    if isinstance(value, str):
        return f'<string length: <{len(value)}>>' if no_str else _cut(value, limit, '...')
    if isinstance(value, bytes):
        return _cut(''.join(map(chr, value)), limit, '...')
    if isinstance(value, bool | int | float):
        return value
    if hasattr(value, 'get_fields_and_field_types'):
        return message_to_ordereddict(value, truncate_length=limit, no_arr=no_arr, no_str=no_str)
    if no_arr and kind is not None:
        return _array_description(value, kind)
    if hasattr(value, 'tolist'):
        cut = limit is not None and len(value) > limit
        return [*value[:limit].tolist(), '...'] if cut else value.tolist()
    if hasattr(value, 'item'):
        return value.item()
    items = [_plain(item, None, limit, no_arr, no_str) for item in value[:limit]]
    return [*items, '...'] if len(value) > len(items) else items


def _cut(text, limit, end):
    return text if limit is None or len(text) <= limit else text[:limit] + end


def _array_description(value, kind):
    name = _element_name(kind.value_type)
    if hasattr(kind, 'size'):
        return f'<array type: {name}[{kind.size}]>'
    bound = f'[{kind.maximum_size}]' if hasattr(kind, 'maximum_size') else ''
    return f'<sequence type: {name}{bound}, length: {len(value)}>'


def _element_name(kind):
    if hasattr(kind, 'typename'):
        return kind.typename
    if hasattr(kind, 'namespaced_name'):
        return '/'.join(kind.namespaced_name())
    return 'wstring' if 'WString' in type(kind).__name__ else 'string'
