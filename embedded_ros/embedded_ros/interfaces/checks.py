"""Are values fit for the fields of a message? Used where field checks are switched on.

They are by Class(check_fields=True), or for all messages by ROS_PYTHON_CHECK_FIELDS=1.
"""
import array
from collections import UserList, UserString
from collections.abc import Sequence, Set
import math

import numpy

from .derived import message_spec
from .message import UNSET
from .spec import SCALARS, STRINGS

FLOAT_LIMIT = {'float32': 3.402823466e+38, 'float64': 1.7976931348623157e+308}


def check_arguments(message, unknown, values):
    """Check what a constructor was given: unknown keywords, then every value."""
    if unknown:
        raise AssertionError(
            f'Invalid arguments passed to constructor: {", ".join(sorted(unknown))}')
    for index, value in enumerate(values):
        if value is not UNSET:
            check_field(message, index, value)


def check_field(message, index, value):
    """Raise AssertionError, naming the field, unless value fits field number index."""
    field = message_spec(type(message)._NAME).fields[index]
    fault = find_fault(field.type, value)
    if fault:
        raise AssertionError(f"The '{field.name}' field must be {fault}")


def find_fault(kind, value):
    """Say what a value of this FieldType must be, or '' if value is that."""
    if not kind.container:
        return element_fault(kind, value)
    if kind.is_numeric and isinstance(value, array.array):
        code = SCALARS[kind.element][1]
        if value.typecode != code:
            return f"an array.array() with the type code of '{code}'"
        return length_fault(kind, value)
    if kind.is_numeric and isinstance(value, numpy.ndarray):
        if value.ndim != 1:
            return 'an array of one dimension'
        value = value.tolist()
    if not isinstance(value, (Sequence, Set, UserList)) or isinstance(value, (str, UserString)):
        return f'a set or sequence ({kind.idl})'
    for item in value:
        fault = element_fault(kind, item)
        if fault:
            return f'a set or sequence and each value {fault}'
    return length_fault(kind, value)


def length_fault(kind, value):
    if kind.container == 'array' and len(value) != kind.size:
        return f'a set or sequence with length {kind.size}'
    if kind.size and len(value) > kind.size:
        return f'a set or sequence with length <= {kind.size}'
    return ''


def element_fault(kind, value):
    if kind.is_message:
        if getattr(type(value), '_NAME', '') != kind.element:
            return f"a sub message of type '{kind.element.split('/')[2]}'"
    elif kind.element in STRINGS:
        if not isinstance(value, (str, UserString)):
            return "of type 'str'"
        if kind.string_bound and len(value) > kind.string_bound:
            return f'string value not longer than {kind.string_bound}'
    elif kind.element == 'bool':
        return '' if isinstance(value, bool) else "of type 'bool'"
    elif kind.element == 'byte':
        fits = isinstance(value, (bytes, bytearray, memoryview)) and len(value) == 1
        return '' if fits else "of type 'bytes' or 'ByteString' with length 1"
    else:
        return number_fault(kind.element, value)
    return ''


def number_fault(element, value):
    if element in FLOAT_LIMIT:
        limit = FLOAT_LIMIT[element]
        if not isinstance(value, float):
            return "of type 'float'"
        if math.isfinite(value) and abs(value) > limit:
            return f'a {SCALARS[element][0]} in [{-limit}, {limit}]'
        return ''
    if not isinstance(value, int):
        return "of type 'int'"
    bits = 8 * SCALARS[element][2]
    unsigned = SCALARS[element][0].startswith('u')
    low, high = (0, 2**bits - 1) if unsigned else (-2**(bits - 1), 2**(bits - 1) - 1)
    if not low <= value <= high:
        return f'an {"unsigned " if unsigned else ""}integer in [{low}, {high}]'
    return ''


def explain(message, path=''):
    """Say which field of a message cannot be serialised, or '' if none is found."""
    spec = message_spec(type(message)._NAME)
    for field in spec.fields:
        value = getattr(message, field.attribute)
        where = f'{path}.{field.name}' if path else field.name
        if field.type.container:
            items = enumerate(value) if hasattr(value, '__iter__') else ()
            nested = [(f'{where}[{i}]', item) for i, item in items if field.type.is_message]
        else:
            nested = [(where, value)] if field.type.is_message else []
        fault = _serialisation_fault(field.type, value)
        if fault:
            return f'{where} must be {fault}, not {value!r}'
        for deeper, item in nested:
            fault = explain(item, deeper)
            if fault:
                return fault
    return ''


def _serialisation_fault(kind, value):
    """Like find_fault, but what struct converts (an int to a float, True to 1) is fine."""
    if not kind.container and kind.element in FLOAT_LIMIT and isinstance(value, (int, bool)):
        return ''
    if not kind.container and kind.element == 'bool':
        return ''
    return find_fault(kind, value)
