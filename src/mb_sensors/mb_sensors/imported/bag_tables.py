"""Tables of bags: numbers of messages of any type, whose definition the bag has, by field path."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd

from mb_model.file_api import message_types
from mb_ros.checked_stamps import ARRIVAL, MALFORMED, REFUSE, REPAIR, CheckedStamps
from mb_sensors.imported.mcap_messages import (
    has_others,
    in_words,
    mcap_messages,
    mending,
)
from mb_sensors.imported.message_fields import numbers_of, stamp_of
from mb_sensors.imported.ros_messages import ros_messages
from mb_sensors.imported.stamp_faults import fault_of
from mb_sensors.imported.time_settings import STAMP


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
            found.setdefault(topic, []).append(one)
    rows: dict[int, dict[str, float]] = {}
    remarks = [f'left out: {len(words)} messages of {place}: {words[-1]}'
               for place, words in left_out.items()]
    if remarks and not found:
        raise ValueError('; '.join(remarks))
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


def _messages(bag):
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
