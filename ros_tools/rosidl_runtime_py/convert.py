"""Messages as plain values, YAML and CSV, and back."""
import array
from collections import OrderedDict
from functools import partial

import yaml

from rosidl_runtime_py.utilities import get_message

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


def set_message_fields(msg, values, expand_header_auto=False, expand_time_now=False):
    """Set the fields of a message from {field name: value}; other fields stay.

    With `expand_header_auto`, a header 'auto' and, with `expand_time_now`, a time 'now' are stamps
    to be set later: a list of functions that take the time (builtin_interfaces/msg/Time) is
    returned.  Raises AttributeError for an unknown field, TypeError or ValueError for a value.
    """
    setters = []
    _set_fields(msg, values, expand_header_auto, expand_time_now, setters)
    return setters


def _set_fields(msg, values, header_auto, time_now, setters):
    if not isinstance(values, dict):
        raise TypeError(f"Value '{values}' is expected to be a dictionary but is a "
                        f'{type(values).__name__}')
    types = get_message_slot_types(msg)
    for name, value in values.items():
        field = getattr(msg, name)
        kind = getattr(types.get(name), 'name', None)
        if header_auto and kind == 'Header' and value == 'auto':
            setters.append(partial(setattr, field, 'stamp'))
        elif time_now and kind == 'Time' and value == 'now':
            setters.append(partial(setattr, msg, name))
        else:
            fill = partial(_set_fields, header_auto=header_auto, time_now=time_now, setters=setters)
            setattr(msg, name, _converted(value, field, types.get(name), fill))


def _converted(value, field, kind, fill):
    """The value in the type of the field; `fill(message, values)` sets a nested message."""
    if hasattr(field, 'get_fields_and_field_types'):
        if type(value) is type(field):
            return value
        message = type(field)()
        fill(message, value)
        return message
    element = getattr(kind, 'value_type', None)
    if hasattr(element, 'namespaces'):
        message_class = get_message('/'.join((*element.namespaces, element.name)))
        return [_message(item, message_class, fill) for item in value]
    if isinstance(field, array.array):
        return array.array(field.typecode, value)
    if hasattr(field, 'dtype'):
        import numpy
        return numpy.array(value, dtype=field.dtype)
    return value if type(value) is type(field) else type(field)(value)


def _message(value, message_class, fill):
    if isinstance(value, message_class):
        return value
    message = message_class()
    fill(message, value)
    return message
