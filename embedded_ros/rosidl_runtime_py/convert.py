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
        (name, _convert_value(getattr(msg, name), field_type=kind, truncate_length=truncate_length,
                              no_arr=no_arr, no_str=no_str))
        for name, kind in get_message_slot_types(msg).items())


def message_to_yaml(msg, *, truncate_length=None, no_arr=False, no_str=False, flow_style=False):
    """YAML of a message, a line for each value unless `flow_style`."""
    values = message_to_ordereddict(
        msg, truncate_length=truncate_length, no_arr=no_arr, no_str=no_str)
    return yaml.dump(values, Dumper=_MessageDumper, allow_unicode=True, width=_WIDTH,
                     default_flow_style=flow_style, sort_keys=False)


def message_to_csv(msg, *, truncate_length=None, no_arr=False, no_str=False):
    """All values of a message, separated by commas; bytes as Python writes them."""
    return ','.join(
        _csv(getattr(msg, name), kind, truncate_length, no_arr, no_str)
        for name, kind in get_message_slot_types(msg).items())


def _csv(value, kind, limit, no_arr, no_str):
    if _is_message(value):
        return message_to_csv(value, truncate_length=limit, no_arr=no_arr, no_str=no_str)
    if isinstance(value, str):
        return _describe_string(value) if no_str else _cut(value, limit)
    if isinstance(value, bytes):
        return str(value if limit is None or len(value) <= limit else value[:limit] + b'...')
    if not hasattr(value, '__len__'):
        return str(value)
    if no_arr and kind is not None:
        return _describe_array(value, kind)
    items = [_csv(item, None, limit, no_arr, no_str) for item in value[:limit]]
    return ','.join(items if len(items) == len(value) else [*items, '...'])


def _convert_value(value, *, field_type=None, truncate_length=None, no_arr=False, no_str=False):
    """A value as numbers, strings, lists, tuples and ordered dictionaries."""
    limits = {'truncate_length': truncate_length, 'no_arr': no_arr, 'no_str': no_str}
    if isinstance(value, str):
        return _describe_string(value) if no_str else _cut(value, truncate_length)
    if isinstance(value, bytes):
        return _cut(''.join(map(chr, value)), truncate_length)
    if isinstance(value, bool | int | float):
        return value
    if _is_message(value):
        return message_to_ordereddict(value, **limits)
    if isinstance(value, dict):
        return OrderedDict((_convert_value(key, **limits), _convert_value(item, **limits))
                           for key, item in value.items())
    if not hasattr(value, '__len__'):
        return value.item()     # a number of numpy's
    if no_arr and field_type is not None:
        return _describe_array(value, field_type)
    return _convert_sequence(value, limits)


def _convert_sequence(value, limits):
    first = value[:limits['truncate_length']]
    items = first.tolist() if hasattr(first, 'tolist') else [
        _convert_value(item, **limits) for item in first]
    if len(value) > len(items):
        items.append('...')
    return tuple(items) if isinstance(value, tuple) else items


def _is_message(value):
    return hasattr(value, 'get_fields_and_field_types')


def _cut(text, limit):
    return text if limit is None or len(text) <= limit else f'{text[:limit]}...'


def _describe_string(text):
    return f'<string length: <{len(text)}>>'


def _describe_array(value, kind):
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
