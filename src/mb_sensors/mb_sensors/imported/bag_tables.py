"""Tables of bags: numbers of messages of any type, whose definition the bag has, by field path."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from rosbags.highlevel import AnyReader, AnyReaderError

from mb_model.file_api import message_types
from mb_ros.checked_stamps import ARRIVAL, MALFORMED, REFUSE, REPAIR, CheckedStamps
from mb_sensors.imported.stamp_faults import fault_of
from mb_sensors.imported.time_settings import STAMP

_LONGEST = 64               # array whose numbers are columns: none of images and scans


def bag_frame(bag: Path, stamps: str = REFUSE) -> tuple[pd.DataFrame, list[str]]:
    """Return the frame of a bag, a row for each stamp, and remarks.

    bag: folder, or file (.mcap, .db3, .bag of ROS 1); stamps: one of POLICIES: what becomes of
    stamps of headers that no clock shows.  Columns are fields behind their topic:
    `/imu.angular_velocity.x`, `/leg.force[0]`, and `/joint_states.position[elbow]` where a message
    has a `name` for each number.  Raises OSError, ValueError.
    """
    if bag.is_dir() and not (bag / 'metadata.yaml').is_file():
        raise ValueError('no bag: it has no metadata.yaml, which `ros2 bag reindex` makes')
    found: dict[str, list[_Numbers]] = {}
    left_out = {}
    try:
        with AnyReader([bag], default_typestore=message_types()) as reader:
            for connection, received, data in reader.messages():
                topic = connection.topic
                try:
                    message = reader.deserialize(data, connection.msgtype)
                except Exception as error:      # of rosbags: of many kinds
                    left_out[topic] = f'{topic} ({connection.msgtype}): {type(error).__name__}'
                    continue
                stamp = getattr(getattr(message, 'header', None), 'stamp', None)
                found.setdefault(topic, []).append(_Numbers(
                    received, (stamp.sec, stamp.nanosec) if stamp is not None and (
                        stamp.sec or stamp.nanosec) else None, dict(_numbers(topic, message))))
    except AnyReaderError as error:
        raise ValueError(f'not readable as a bag: {error}') from None
    rows: dict[int, dict[str, float]] = {}
    remarks = [f'left out: {one}' for one in left_out.values()]
    for topic, messages in found.items():
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


def _numbers(path: str, value: Any) -> Iterator[tuple[str, float]]:
    """Yield (path, number) of all fields of a message."""
    if isinstance(value, bool | int | float | np.number):
        yield path, float(value)
    elif isinstance(value, np.ndarray | list):
        if len(value) <= _LONGEST:
            for k, one in enumerate(value):
                yield from _numbers(f'{path}[{k}]', one)
    elif hasattr(value, '__dataclass_fields__'):
        names = getattr(value, 'name', None)
        for field in value.__dataclass_fields__:
            if field in ('__msgtype__', 'header'):
                continue
            one = getattr(value, field)
            if isinstance(names, list) and isinstance(one, np.ndarray) and len(one) == len(names):
                yield from ((f'{path}.{field}[{name}]', float(number))
                            for name, number in zip(names, one, strict=True))
            else:
                yield from _numbers(f'{path}.{field}', one)
