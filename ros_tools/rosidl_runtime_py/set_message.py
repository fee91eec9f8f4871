"""Messages from dictionaries, as YAML gives them."""
import array
from functools import partial

from rosidl_runtime_py.convert import get_message_slot_types
from rosidl_runtime_py.utilities import get_message


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
