"""Messages as bytes, as ROS 2 encodes them (CDR, little-endian): of rclpy and of rosbags alike.

rclpy's own encoder leaves in gaps whatever was in memory, so bags of the same messages would
differ; rosbags' one knows only its own messages.  This one fills gaps with zeros, and costs a tenth
of the two one after the other.  Source: OMG, Common Data Representation, formal/02-06-51.
"""

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import attrgetter
from struct import Struct
from typing import Any, NamedTuple

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
_KEPT = 4096                # texts, lists of them and forms that most messages share

Step = Callable[[bytearray, Any], None]     # appends a part of a message to its bytes


class _Field(NamedTuple):
    """A field of numbers or texts: code of a number, '' of texts; wanted: length of an array.

    name: type and path, for errors.
    """

    name: str
    path: str
    code: str
    is_one: bool
    wanted: int | None = None


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

    def _parts(self, before: str, kind: str) -> 'list[_Field | Step]':
        """Return the _Fields of a type, and Steps for sequences of other messages.

        before: path of the message in another one, with its dot.
        """
        parts: list[_Field | Step] = []
        for name, (node, value) in self._types.get_msgdef(kind).fields:
            path = before + name
            full = f'{kind}: {path}'
            if node == Nodetype.NAME:
                parts += self._parts(f'{path}.', str(value))
            elif node == Nodetype.BASE:
                parts.append(_Field(full, path, _CODES.get(value[0], ''), True))
            else:
                (inside, inner), length = value
                wanted = length if node == Nodetype.ARRAY else None
                parts.append(
                    _Field(full, path, _CODES.get(inner[0], ''), False, wanted)
                    if inside == Nodetype.BASE else self._each(full, path, str(inner), wanted))
        return parts

    def _each(self, full: str, path: str, kind: str, wanted: int | None) -> Step:
        of = attrgetter(path)

        def step(out: bytearray, message: Any) -> None:
            values, steps = of(message), self._of(kind)
            _check(full, len(values), wanted)
            if wanted is None:
                out += _GAPS[-len(out) % 4]
                out += _LENGTH.pack(len(values))
            for value in values:
                for one in steps:
                    one(out, value)
        return step


def _joined(parts: 'Iterable[_Field | Step]') -> list[Step]:
    """Return Steps; fields that follow each other are one."""
    steps: list[Step] = []
    run: list[_Field] = []
    for part in (*parts, None):
        if isinstance(part, _Field):
            run.append(part)
            continue
        if run:
            steps.append(_of_fields(run))
            run = []
        if part is not None:
            steps.append(part)
    return steps


def _of_fields(fields: Sequence[_Field]) -> Step:
    """Return the Step of fields that follow each other.

    All are packed at once by a form, which is the same as long as texts and sequences are as long.
    A sequence of numbers is packed as their count and their bytes.
    """
    paths: list[str] = []
    texts: list[tuple[int, _Field]] = []        # with their index in what is packed
    numbers: list[tuple[int, _Field, Any]] = []
    for field in fields:
        if not field.code:
            texts.append((len(paths), field))
        elif not field.is_one:
            numbers.append((len(paths), field, np.dtype(
                f'<{field.code}' if field.code != '?' else '?')))
            if field.wanted is None:
                paths.append(field.path)
        paths.append(field.path)
    paths.append(paths[0])          # of one path attrgetter would return no tuple
    of = attrgetter(*paths)

    @lru_cache(maxsize=_KEPT)
    def form(begin: int, *lengths: int) -> Struct:
        return _form(fields, begin, lengths)

    def step(out: bytearray, message: Any) -> None:
        values = list(of(message))
        del values[-1]
        lengths = [len(out) % _WIDEST]
        for k, field in texts:
            data = _of_text(values[k]) if field.is_one else _of_texts(
                field.name, tuple(values[k]), field.wanted)
            values[k] = data
            lengths.append(len(data))
        for k, field, kind in numbers:
            given = values[k]
            if not (isinstance(given, array) and given.typecode == field.code):
                given = np.ascontiguousarray(given, kind)
            count = len(given)
            if field.wanted is None:
                values[k], k = count, k + 1
            elif count != field.wanted:
                _check(field.name, count, field.wanted)
            values[k] = given.tobytes()
            lengths.append(count)
        out += form(*lengths).pack(*values)
    return step


def _form(fields: Sequence[_Field], begin: int, lengths: Sequence[int]) -> Struct:
    """Return the form of fields, with the gaps before them, from a position modulo 8 on.

    lengths: of texts [bytes], then of sequences and arrays of numbers.
    """
    form, at = '<', begin
    of_texts = iter(lengths)
    of_numbers = iter(lengths[sum(not field.code for field in fields):])

    def add(code: str, align: int, size: int) -> None:
        nonlocal form, at
        gap = -at % align
        form += f'{gap}x{code}' if gap else code
        at += gap + size

    for field in fields:
        width = Struct(f'<{field.code}').size
        if not field.code:
            length = next(of_texts)
            add(f'{length}s', 4 if length else 1, length)
        elif field.is_one:
            add(field.code, width, width)
        else:
            length = next(of_numbers) * width
            if field.wanted is None:
                add('I', 4, 4)
            add(f'{length}s', width if length else 1, length)
    return Struct(form)


@lru_cache(maxsize=_KEPT)
def _of_text(text: str) -> bytes:
    """Return the bytes of a text with its length."""
    data = text.encode()
    return b'%b%b\0' % (_LENGTH.pack(len(data) + 1), data)


@lru_cache(maxsize=_KEPT)
def _of_texts(name: str, texts: tuple[str, ...], wanted: int | None) -> bytes:
    """Return the bytes of texts, of a sequence with their count before them."""
    _check(name, len(texts), wanted)
    out = bytearray(_LENGTH.pack(len(texts)) if wanted is None else b'')
    for text in texts:
        out += _GAPS[-len(out) % 4]
        out += _of_text(text)
    return bytes(out)


def _check(name: str, count: int, wanted: int | None) -> None:
    """Raise ValueError for an array that has not the wanted length."""
    if wanted is not None and count != wanted:
        raise ValueError(f'{name}: {count} values, expected {wanted}')
