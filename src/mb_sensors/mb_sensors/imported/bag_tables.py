"""Tables of bags: numbers of messages of any type, whose definition the bag has, by field path."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from rosbags.highlevel import AnyReader, AnyReaderError

from mb_model.file_api import message_types
from mb_sensors.sampling import NANOSECONDS

STAMP = 'stamp_ns'          # column: of the header, else when the message was received
_LONGEST = 64               # array whose numbers are columns: none of images and scans


def bag_frame(bag: Path) -> tuple[pd.DataFrame, list[str]]:
    """Return the frame of a bag, a row for each stamp, and remarks.

    bag: folder, or file (.mcap, .db3, .bag of ROS 1).  Columns are fields behind their topic:
    `/imu.angular_velocity.x`, `/leg.force[0]`, and `/joint_states.position[elbow]` where a message
    has a `name` for each number.  Raises OSError, ValueError.
    """
    if bag.is_dir() and not (bag / 'metadata.yaml').is_file():
        raise ValueError('no bag: it has no metadata.yaml, which `ros2 bag reindex` makes')
    rows: dict[int, dict[str, float]] = {}
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
                row = rows.setdefault(_stamp(topic, message, received), {})
                numbers = dict(_numbers(topic, message))
                if row.keys() & numbers.keys():
                    raise ValueError(f'{topic}: two messages of one stamp')
                row.update(numbers)
    except AnyReaderError as error:
        raise ValueError(f'not readable as a bag: {error}') from None
    frame = pd.DataFrame.from_dict(rows, orient='index').sort_index()
    frame.insert(0, STAMP, frame.index)
    return frame.reset_index(drop=True), [f'left out: {one}' for one in left_out.values()]


def _stamp(topic, message, received):
    """Return the stamp of a message [ns]."""
    stamp = getattr(getattr(message, 'header', None), 'stamp', None)
    if stamp is None or not (stamp.sec or stamp.nanosec):
        return received
    if stamp.nanosec >= NANOSECONDS:
        raise ValueError(f'{topic}: nanosec {stamp.nanosec} must be less than 1e9')
    return stamp.sec * NANOSECONDS + stamp.nanosec


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
