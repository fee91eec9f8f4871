"""Messages of the rows of a log, as bytes: many of a topic at once."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from rosidl_runtime_py.utilities import get_message

from mb_model.arrays import BoolArray, FloatArray, IntArray
from mb_model.file_api import STATE_TYPE, AlikeMessages, NewBag, state_message
from mb_ros.stamps import stamp as to_stamp
from mb_sensors.imported.column_settings import Columns, Quantity
from mb_sensors.imported.log_rows import Log
from mb_sensors.imported.truth import true_states
from mb_sensors.nodes.kept_message import KeptMessage
from mb_sensors.topics import KNOWN_FORCES, TRUE_FORCES, SensorTopic, by_topic

_BLOCK = 10_000             # rows whose messages are made at once
_STATE, _EFFORTS = '/prototype/state', 'sensor_msgs/msg/JointState'
_COMMANDS, _COMMAND = '/valve_command', 'mb_interfaces/msg/ValveCommand'

Rows = list[bytes | None]       # the message of each row, None for none


def messages_of(columns: Columns, log: Log,
                bag: NewBag) -> Iterator[tuple[str, str, int, bytes]]:
    """Yield (topic, type, arrival [ns], bytes of a message) of all rows, in their order.

    A row arrives at its stamp: first its known forces and commands, then the truth, then its
    readings.  bag: whose encoder makes them.
    """
    topics = _inputs(columns, log, bag) + _truth(columns, log, bag) + [
        (f'/{name}', topic.message_type, _Readings(topic, log, columns.mechanism.name, bag).of)
        for name, topic in by_topic(one.sensor for one in columns.sensors).items()]
    for begin in range(0, len(log.stamps), _BLOCK):
        rows = slice(begin, begin + _BLOCK)
        block = [(name, kind, of(rows)) for name, kind, of in topics]
        for k, stamp in enumerate(log.stamps[rows].tolist()):
            for name, kind, messages in block:
                data = messages[k]
                if data is not None:
                    yield name, kind, stamp, data


def _inputs(columns: Columns, log: Log,
            bag: NewBag) -> list[tuple[str, str, Callable[[slice], Rows]]]:
    """Return (topic, type, messages of rows) of known and true forces, and commands."""
    def efforts(names: Sequence[str], stamp: int, numbers: Sequence[float]):
        message = get_message(_EFFORTS)(name=names, effort=numbers)
        message.header.stamp, message.header.frame_id = to_stamp(stamp), columns.mechanism.name
        return bag.encoded(message, _EFFORTS)

    def commands(names: Sequence[str], stamp: int, numbers: Sequence[float]):
        message = get_message(_COMMAND)(valve=names, command=numbers)
        message.header.stamp = to_stamp(stamp)
        return bag.encoded(message, _COMMAND)

    def rows_of(encode: Any, given: dict[str, Quantity]):
        numbers = np.column_stack([log.of(one) for one in given.values()])
        return partial(_rows, AlikeMessages(partial(encode, list(given)), len(given)), log.stamps,
                       numbers, np.isfinite(numbers).all(axis=1))
    return [(name, kind, rows_of(encode, given)) for name, kind, encode, given in (
        (f'/{KNOWN_FORCES}', _EFFORTS, efforts, columns.forces),
        (TRUE_FORCES, _EFFORTS, efforts, columns.true_forces),
        (_COMMANDS, _COMMAND, commands, columns.commands)) if given]


def _truth(columns: Columns, log: Log, bag: NewBag):
    """Return the same of the truth, if there is one."""
    states = true_states(columns, log)

    def of(rows: slice) -> Rows:
        return [bag.encoded(state_message(
            bag.types, columns.mechanism, int(log.stamps[k]), **states[k]), STATE_TYPE)
            if k in states else None for k in range(len(log.stamps))[rows]]
    return [(_STATE, STATE_TYPE, of)] if states else []


def _rows(alike: AlikeMessages, stamps: IntArray, numbers: FloatArray, there: BoolArray,
          rows: slice) -> Rows:
    """Return the messages of rows, None where none is there."""
    known = there[rows]
    messages: Rows = [None] * len(known)
    data = alike.of(stamps[rows][known], numbers[rows][known])
    for k, one in zip(np.flatnonzero(known).tolist(), data, strict=True):
        messages[k] = one
    return messages


class _Readings:
    """The messages of a topic of sensors: of the sensors that have a reading in a row."""

    def __init__(self, topic: SensorTopic, log: Log, frame: str, bag: NewBag) -> None:
        self._topic, self._log, self._frame, self._bag = topic, log, frame, bag
        self._there = np.column_stack([
            np.isfinite(log.readings[sensor.name]).all(axis=1) for sensor in topic.sensors])
        self._alike: dict[tuple[bool, ...], AlikeMessages] = {}

    def of(self, rows: slice) -> Rows:
        """Return the messages of rows, None where no sensor has a reading."""
        there, stamps = self._there[rows], self._log.stamps[rows]
        messages: Rows = [None] * len(stamps)
        for which in map(tuple, np.unique(there, axis=0).tolist()):
            if any(which):
                numbers = np.hstack([
                    self._log.readings[sensor.name][rows]
                    for sensor, chosen in zip(self._topic.sensors, which, strict=True) if chosen])
                own = _rows(self._of_sensors(which), stamps, numbers, (there == which).all(axis=1),
                            slice(None))
                messages = [one or other for one, other in zip(own, messages, strict=True)]
        return messages

    def _of_sensors(self, which: tuple[bool, ...]) -> AlikeMessages:
        """Return what encodes readings of some of the sensors."""
        if which not in self._alike:
            sensors = [sensor for sensor, chosen in zip(self._topic.sensors, which, strict=True)
                       if chosen]
            kept = KeptMessage(self._topic, self._frame)
            ends = np.cumsum([len(sensor.channels) for sensor in sensors]).tolist()
            begins = [0, *ends[:-1]]
            bag, kind = self._bag, self._topic.message_type     # not self: the log would stay

            def encode(stamp: int, numbers: Sequence[float]) -> bytes:
                return bag.encoded(kept.filled(stamp, [
                    (sensor, numbers[begin:end]) for sensor, begin, end in zip(
                        sensors, begins, ends, strict=True)]), kind)
            self._alike[which] = AlikeMessages(encode, ends[-1], kept.is_plain)
        return self._alike[which]
