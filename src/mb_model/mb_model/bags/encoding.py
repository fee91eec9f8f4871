"""Messages as bytes, as ROS 2 encodes them (CDR, little-endian): of rclpy and of rosbags alike.

rclpy's own encoder leaves in gaps whatever was in memory, so bags of the same messages would
differ; rosbags' one knows only its own messages.  This one fills gaps with zeros, and costs a tenth
of the two one after the other.  Source: OMG, Common Data Representation, formal/02-06-51.
"""

from array import array
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from operator import attrgetter
from struct import Struct
from typing import Any

import numpy as np
from rosbags.interfaces import Nodetype
from rosbags.typesys.store import Typestore

_HEAD = b'\0\1\0\0'         # little-endian; positions count from behind it
_LENGTH = Struct('<I')
_CODES = {'bool': '?', 'byte': 'B', 'char': 'B', 'octet': 'B', 'int8': 'b', 'uint8': 'B',
          'int16': 'h', 'uint16': 'H', 'int32': 'i', 'uint32': 'I', 'int64': 'q', 'uint64': 'Q',
          'float32': 'f', 'float64': 'd'}
_WIDEST = 8
_GAPS = [bytes(size) for size in range(_WIDEST)]

Step = Callable[[bytearray, Any], None]     # appends a part of a message to its bytes


class Encoder:
    """Makes bytes of messages of a store's types."""

    def __init__(self, types: Typestore) -> None:
        """Set up for a store."""
        self._types = types
        self._steps: dict[str, list[Step]] = {}     # by type

    def encoded(self, message: Any, kind: str) -> bytes:
        """Return the bytes of a message of a type.

        Raises ValueError for an array of fixed length that has another.
        """
        out = bytearray()
        for step in self._of(kind):
            step(out, message)
        return _HEAD + out

    def _of(self, kind: str) -> list[Step]:
        """Return what encodes messages of a type, part by part."""
        if kind not in self._steps:
            self._steps[kind] = list(_joined(self._parts('', kind)))
        return self._steps[kind]

    def _parts(self, before: str, kind: str) -> 'list[tuple[str, str] | Step]':
        """Return (path, code) of numbers, and Steps for all else, of a type's fields.

        before: path of the message in another one, with its dot.
        """
        parts: list[tuple[str, str] | Step] = []
        for name, (node, value) in self._types.get_msgdef(kind).fields:
            path, of = before + name, attrgetter(before + name)
            if node == Nodetype.NAME:
                parts += self._parts(f'{path}.', str(value))
            elif node == Nodetype.BASE:
                parts.append((path, _CODES[value[0]]) if value[0] in _CODES else _text(of))
            else:
                parts.append(self._several(kind, path, of, node == Nodetype.ARRAY, value))
        return parts

    def _several(self, kind: str, path: str, of: Any, is_fixed: bool, value: Any) -> Step:
        """Return the Step of an array or a sequence."""
        (node, inner), length = value
        wanted = length if is_fixed else None
        if node == Nodetype.BASE and inner[0] in _CODES:
            return _numbers(f'{kind}: {path}', of, _CODES[inner[0]], wanted)
        if node == Nodetype.BASE:
            return _texts(f'{kind}: {path}', of, wanted)
        return _each(f'{kind}: {path}', of, lambda: self._of(str(inner)), wanted)


def _joined(parts: 'Sequence[tuple[str, str] | Step]') -> list[Step]:
    """Return Steps; numbers that follow each other are one."""
    steps: list[Step] = []
    run: list[tuple[str, str]] = []
    for part in (*parts, None):
        if isinstance(part, tuple):
            run.append(part)
            continue
        if run:
            steps.append(_number(attrgetter(run[0][0]), run[0][1]) if len(run) == 1 else _run(run))
            run = []
        if part is not None:
            steps.append(part)
    return steps


def _run(run: Sequence[tuple[str, str]]) -> Step:
    of, codes = attrgetter(*(path for path, _ in run)), ''.join(code for _, code in run)

    def step(out: bytearray, message: Any) -> None:
        out += _layout(codes, len(out) % _WIDEST).pack(*of(message))
    return step


def _number(of: Any, code: str) -> Step:
    def step(out: bytearray, message: Any) -> None:
        out += _layout(code, len(out) % _WIDEST).pack(of(message))
    return step


@cache
def _layout(codes: str, begin: int) -> Struct:
    """Return the form of numbers, with the gaps before them, from a position modulo 8 on."""
    form, at = '<', begin
    for code in codes:
        size = Struct(f'<{code}').size
        gap = -at % size
        form += f'{gap}x{code}' if gap else code
        at += gap + size
    return Struct(form)


def _text(of: Any) -> Step:
    def step(out: bytearray, message: Any) -> None:
        out += _GAPS[-len(out) % 4]
        out += _of_text(of(message))
    return step


@lru_cache(maxsize=4096)
def _of_text(text: str) -> bytes:
    """Return the bytes of a text with its length, which most messages share."""
    data = text.encode()
    return b'%b%b\0' % (_LENGTH.pack(len(data) + 1), data)


def _texts(where: str, of: Any, wanted: int | None) -> Step:
    def step(out: bytearray, message: Any) -> None:
        values = of(message)
        _begin(out, where, len(values), wanted)
        for text in values:
            out += _GAPS[-len(out) % 4]
            out += _of_text(text)
    return step


def _numbers(where: str, of: Any, code: str, wanted: int | None) -> Step:
    kind = np.dtype(f'<{code}' if code != '?' else '?')
    size = kind.itemsize

    def step(out: bytearray, message: Any) -> None:
        values = of(message)
        if not (isinstance(values, array) and values.typecode == code):
            values = np.ascontiguousarray(values, kind)
        _begin(out, where, len(values), wanted)
        if len(values):
            out += _GAPS[-len(out) % size]
            out += values.tobytes()
    return step


def _each(where: str, of: Any, steps_of: Callable[[], list[Step]], wanted: int | None) -> Step:
    def step(out: bytearray, message: Any) -> None:
        values, steps = of(message), steps_of()
        _begin(out, where, len(values), wanted)
        for value in values:
            for one in steps:
                one(out, value)
    return step


def _begin(out: bytearray, where: str, count: int, wanted: int | None) -> None:
    """Append the length of a sequence; check the one of an array, which is not written."""
    if wanted is None:
        out += _GAPS[-len(out) % 4]
        out += _LENGTH.pack(count)
    elif count != wanted:
        raise ValueError(f'{where}: {count} values, expected {wanted}')
