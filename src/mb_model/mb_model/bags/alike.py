"""Bytes of many messages that differ in their stamp and some numbers alone, made all at once."""

from collections.abc import Callable, Sequence
from struct import pack

import numpy as np

from mb_model.arrays import FloatArray, IntArray

_STAMP = slice(4, 12)       # of a message that begins with a header, behind the head of its bytes
_SECOND = 1_000_000_000
_PROBED_STAMP = 1_234_567_890_987_654_321       # [ns]
_DOUBLE, _SINGLE = '<f8', '<f4'
_LARGEST = float(np.finfo(_SINGLE).max)

Encode = Callable[[int, Sequence[float]], bytes]


class AlikeMessages:
    """The bytes of messages with a header, of their stamps and numbers.

    Where these stand in a message is looked up by encoding numbers that occur nowhere else.
    """

    def __init__(self, encode: Encode, count: int, is_plain: bool = True) -> None:
        """Set up; encode(stamp [ns], numbers (count)): returns the bytes of a message.

        is_plain: whether numbers stand there as they are; if not, each message is encoded by
        itself, and so it is where their offsets are not certain.
        """
        self._encode = encode
        numbers = [(-1.0) ** i * (1.0 + 2.0 ** -20 * (7919 * i + 104729)) for i in range(count)]
        whole = encode(_PROBED_STAMP, numbers)
        offsets = [_offset_of(number, whole) for number in numbers]
        self._offsets = [one for one in offsets if one is not None]
        self._form = np.frombuffer(whole, np.uint8)
        self._is_known = is_plain and len(self._offsets) == count and whole[_STAMP] == pack(
            '<iI', *divmod(_PROBED_STAMP, _SECOND))

    def of(self, stamps: IntArray, numbers: FloatArray) -> list[bytes]:
        """Return the bytes of messages of stamps (k) [ns] and numbers (k, count)."""
        messages = self._filled(stamps, numbers) if self._is_known and len(stamps) else []
        ends = [self._encode(int(stamps[k]), numbers[k].tolist())
                for k in (0, -1)] if messages else []
        if messages and [messages[0], messages[-1]] == ends:
            return messages
        return [self._encode(stamp, row)
                for stamp, row in zip(stamps.tolist(), numbers.tolist(), strict=True)]

    def _filled(self, stamps: IntArray, numbers: FloatArray) -> list[bytes]:
        """Return the same by writing into copies of one message; none of numbers too large."""
        rows = np.tile(self._form, (len(stamps), 1))
        _put(rows, _STAMP.start, stamps // _SECOND, '<i4')
        _put(rows, _STAMP.start + 4, stamps % _SECOND, '<u4')
        for i, (at, kind) in enumerate(self._offsets):
            if kind == _SINGLE and not (abs(numbers[:, i]) <= _LARGEST).all():
                return []
            _put(rows, at, numbers[:, i], kind)
        data, size = rows.tobytes(), rows.shape[1]
        return [data[k:k + size] for k in range(0, len(data), size)]


def _offset_of(number: float, data: bytes) -> tuple[int, str] | None:
    """Return (offset, type of numpy) of a number in bytes, None unless it is there once."""
    for kind, code in ((_DOUBLE, '<d'), (_SINGLE, '<f')):
        pattern = pack(code, number)
        at = data.find(pattern)
        if at >= 0:
            return None if data.find(pattern, at + 1) >= 0 else (at, kind)
    return None


def _put(rows: np.ndarray, at: int, values: np.ndarray, kind: str) -> None:
    """Write values (k) as a type of numpy to rows (k, bytes)."""
    own = np.ascontiguousarray(values.astype(kind))
    rows[:, at:at + own.itemsize] = own.view(np.uint8).reshape(len(own), own.itemsize)
