"""Tables of bags: numbers of messages of any type, whose definition the bag has, by field path."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mb_model.file_api import message_types
from mb_ros.checked_stamps import ARRIVAL, MALFORMED, REFUSE, REPAIR, CheckedStamps, fault_of
from mb_sensors.imported.bag_messages import (
    has_others,
    in_words,
    mcap_messages,
    mending,
    ros_messages,
)
from mb_sensors.imported.column_settings import STAMP

_LONGEST = 64               # array whose numbers are columns: none of images and scans
_SECONDS = 'sec', 'secs', 'seconds'
_NANOSECONDS = 'nanosec', 'nsec', 'nsecs', 'nanos', 'nanoseconds'
_STAMPS = 'timestamp', 'stamp'      # of messages without a header of ROS


def stamp_of(message: Any) -> tuple[int, int] | None:
    """Return (sec, nanosec) of a message's stamp, None where it has none, or zero.

    It is in the header; in JSON and Protobuf also a field `timestamp` or `stamp` of both parts.
    """
    fields = fields_of(message)
    stamps = [fields_of(fields.get('header')).get('stamp')]
    if not hasattr(message, '__dataclass_fields__'):
        stamps += [fields.get(name) for name in _STAMPS]
    for stamp in stamps:
        parts = fields_of(stamp)
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
    pairs = list(_numbers(path, message, () if hasattr(message, '__dataclass_fields__') else (
        name for name in _STAMPS if fields_of(fields_of(message).get(name)))))
    numbers = dict(pairs)
    if len(numbers) < len(pairs):
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


def _is_number(value: Any):
    return isinstance(value, bool | int | float | np.number)


def _is_array(value: Any):
    return isinstance(value, np.ndarray | Sequence) and not isinstance(value, str | bytes)


def bag_frame(bag: Path, stamps: str = REFUSE) -> tuple[pd.DataFrame, list[str]]:
    """Return the frame of a bag, a row for each stamp, and remarks.

    bag: folder, or file (.mcap, .db3, .bag of ROS 1); stamps: one of POLICIES: what becomes of
    stamps of headers that no clock shows.  Columns are fields behind their topic:
    `/imu.angular_velocity.x`, `/leg.force[0]`, and `/joint_states.position[elbow]` where a message
    has a `name` for each number.  Raises OSError, ValueError.
    """
    if bag.is_dir() and not (bag / 'metadata.yaml').is_file():
        raise ValueError('no bag: it has no metadata.yaml, which `ros2 bag reindex` makes')
    by_topic: dict[str, list[_Numbers]] = {}
    left_out: dict[str, list[str]] = {}
    for topic, kind, received, decode, data in _messages(bag):
        try:
            message = decode(data)
            one = _Numbers(received, stamp_of(message), numbers_of(topic, message))
        except Exception as error:      # of libraries: of many kinds
            name = '' if isinstance(error, ValueError) else f'{type(error).__name__}: '
            left_out.setdefault(f'{topic} ({kind})', []).append(
                ' '.join(f'{name}{error}'.split()) or type(error).__name__)
        else:
            by_topic.setdefault(topic, []).append(one)
    rows: dict[int, dict[str, float]] = {}
    remarks = [f'left out: {len(words)} messages of {name}: {words[-1]}'
               for name, words in left_out.items()]
    if remarks and not by_topic:
        raise ValueError('; '.join(remarks))
    for topic, messages in by_topic.items():
        at, words = _stamped(topic, messages, stamps)
        remarks += words
        for stamp, message in zip(at, messages, strict=True):
            if stamp is None:
                continue
            row = rows.setdefault(stamp, {})
            if row.keys() & message.numbers.keys():
                raise ValueError(f'{topic}: two messages of one stamp; `stamps: {ARRIVAL}` takes '
                                 'when they were received')
            row.update(message.numbers)
    frame = pd.DataFrame.from_dict(rows, orient='index').sort_index()
    frame.insert(0, STAMP, frame.index)
    return frame.reset_index(drop=True), remarks


def _messages(bag: Path):
    """Yield (topic, type, received [ns], decode(data), data) of all messages of a bag.

    Raises ValueError.
    """
    if bag.suffix.lower() == '.mcap' and has_others(bag):
        yield from mcap_messages(bag)
        return
    yield from in_words(partial(ros_messages, bag, message_types()), 'a bag', mending(bag))


@dataclass(frozen=True)
class _Numbers:
    """A message: when it was received [ns], (sec, nanosec) of its header if any, its numbers."""

    received: int
    stamp: tuple[int, int] | None
    numbers: dict[str, float]


def _stamped(topic: str, messages: list[_Numbers],
             policy: str) -> tuple[list[int | None], list[str]]:
    """Return the stamps [ns] of the messages of a topic, None: left out; and remarks."""
    parts = [one.stamp for one in messages if one.stamp]
    fault = fault_of(*zip(*parts, strict=True)) if parts else ''
    checked = CheckedStamps(policy, fault)
    if fault and (policy == REFUSE or (fault, policy) == (MALFORMED, REPAIR)):
        raise ValueError(f'{topic}: {checked.words}')
    at = [checked.take(*one.stamp, one.received) if one.stamp else one.received
          for one in messages]
    done = ', '.join(f'{count} were {what}' for what, count in checked.counts.items())
    return at, [f'{topic}: stamps: {fault or "as they are"}: {done}'] if done else []
