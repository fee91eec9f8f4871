"""Numbers and stamps of decoded messages of any library, by field path."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

_LONGEST = 64               # array whose numbers are columns: none of images and scans
_SECONDS = 'sec', 'secs', 'seconds'
_NANOSECONDS = 'nanosec', 'nsec', 'nsecs', 'nanos', 'nanoseconds'
_STAMPS = 'timestamp', 'stamp'      # of messages without a header of ROS


def stamp_of(message: Any) -> tuple[int, int] | None:
    """Return (sec, nanosec) of a message's stamp, None where it has none, or zero.

    It is in the header; in JSON and Protobuf also a field `timestamp` or `stamp` of both parts.
    """
    fields = fields_of(message)
    places = [fields_of(fields.get('header')).get('stamp')]
    if not hasattr(message, '__dataclass_fields__'):
        places += [fields.get(name) for name in _STAMPS]
    for place in places:
        parts = fields_of(place)
        sec = next((parts[name] for name in _SECONDS if name in parts), None)
        nanosec = next((parts[name] for name in _NANOSECONDS if name in parts), None)
        if _is_number(sec) and _is_number(nanosec) and (sec or nanosec):
            if sec % 1 or nanosec % 1 or nanosec < 0:
                raise ValueError(f'a stamp of {sec} s and {nanosec} ns')
            return int(sec), int(nanosec)
    return None


def numbers_of(path: str, message: Any) -> dict[str, float]:
    """Return {path: number} of all fields of a message.

    Headers and stamps are no numbers.  Raises ValueError for two fields of one path.
    """
    found = list(_numbers(path, message, () if hasattr(message, '__dataclass_fields__') else (
        name for name in _STAMPS if fields_of(fields_of(message).get(name)))))
    numbers = dict(found)
    if len(numbers) < len(found):
        raise ValueError('two fields of one path')
    return numbers


def fields_of(value: Any) -> Mapping[str, Any]:
    """Return the fields of a message of rosbags, of Protobuf or JSON by name; none of a number.

    Fields of Protobuf that are not set, and know it, are none.
    """
    if isinstance(value, Mapping):
        return value
    if hasattr(value, '__dataclass_fields__'):
        return {name: getattr(value, name) for name in value.__dataclass_fields__
                if name != '__msgtype__'}
    if hasattr(value, 'DESCRIPTOR') and hasattr(value, 'HasField'):
        return {field.name: getattr(value, field.name) for field in value.DESCRIPTOR.fields
                if not field.has_presence or value.HasField(field.name)}
    return {}


def _numbers(path: str, value: Any, without: Any = ()) -> Iterator[tuple[str, float]]:
    """Yield (path, number) of all fields of a message."""
    if _is_number(value):
        yield path, float(value)
        return
    if _is_array(value):
        if len(value) <= _LONGEST:
            for k, one in enumerate(value):
                yield from _numbers(f'{path}[{k}]', one)
        return
    fields, left_out = fields_of(value), {'header', *without}
    names = fields.get('name')
    names = names if _is_array(names) and all(isinstance(one, str) for one in names) else ()
    for field, one in fields.items():
        if field in left_out:
            continue
        if len(names) and _is_array(one) and len(one) == len(names):
            yield from ((f'{path}.{field}[{name}]', float(number))
                        for name, number in zip(names, one, strict=True) if _is_number(number))
        else:
            yield from _numbers(f'{path}.{field}', one)


def _is_number(value):
    return isinstance(value, bool | int | float | np.number)


def _is_array(value):
    return isinstance(value, np.ndarray | Sequence) and not isinstance(value, str | bytes)
