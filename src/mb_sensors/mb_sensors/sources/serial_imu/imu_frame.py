"""Frames in which a microcontroller sends the readings of an IMU over a serial line.

    A5 5A | type 01 | sequence u16 | time u32 [us] | 7 x f32 | CRC-32

Little endian.  The seven numbers: angular rate x y z [rad/s], specific force x y z [m/s^2],
temperature [deg C]; NaN for what is not measured.  The CRC is as in Ethernet (zlib.crc32) over
everything between the first two bytes and itself.
"""

import math
import struct
from typing import NamedTuple
from zlib import crc32

TIME_PERIOD = 2 ** 32 * 1000        # of the time in a frame [ns]
SEQUENCE_PERIOD = 2 ** 16
_START = b'\xa5\x5a'
_TYPE = 1
_BODY = struct.Struct('<BHI7f')
_CRC = struct.Struct('<I')
SIZE = len(_START) + _BODY.size + _CRC.size


class ImuFrame(NamedTuple):
    """What is in a frame: sequence number, device time [ns], rates, forces, temperature."""

    sequence: int
    time: int
    rate: tuple[float, float, float]
    force: tuple[float, float, float]
    temperature: float = math.nan


def encode(frame: ImuFrame):
    """Return the bytes of an ImuFrame; its time is in microseconds and wraps around."""
    body = _BODY.pack(_TYPE, frame.sequence % SEQUENCE_PERIOD, frame.time // 1000 % 2 ** 32,
                      *frame.rate, *frame.force, frame.temperature)
    return _START + body + _CRC.pack(crc32(body))


class FrameParser:
    """Finds the frames in a stream of bytes, cut anywhere, between any other bytes.

    corrupted: beginnings of frames that turned out to be none; skipped: bytes between frames.
    """

    def __init__(self):
        self.corrupted = 0
        self.skipped = 0
        self._rest = bytearray()

    @property
    def waiting(self):
        """Bytes that may be the beginning of a frame."""
        return len(self._rest)

    def feed(self, data: bytes | bytearray):
        """Take bytes; return (ImuFrame, number of bytes that came after it) for whole frames."""
        rest = self._rest
        rest += data
        frames, begin = [], 0
        while True:
            start = rest.find(_START, begin)
            if start < 0:       # the last byte may be half of a start
                start = len(rest) - (1 if rest.endswith(_START[:1]) else 0)
                self.skipped += max(0, start - begin)
                begin = max(begin, start)
                break
            self.skipped += start - begin
            begin = start
            if len(rest) - begin < SIZE:
                break
            frame = _decode(rest[begin + len(_START):begin + SIZE])
            if frame is None:       # a frame may begin at any byte of what seemed to be one
                self.corrupted += 1
                self.skipped += 1
                begin += 1
                continue
            begin += SIZE
            frames.append((frame, len(rest) - begin))
        del rest[:begin]
        return frames


def _decode(data: bytes | bytearray):
    """Return the ImuFrame in a body with its CRC, None if it is none."""
    body = bytes(data[:_BODY.size])
    if crc32(body) != _CRC.unpack_from(data, _BODY.size)[0] or body[0] != _TYPE:
        return None
    _, sequence, time, *numbers = _BODY.unpack(body)
    return ImuFrame(sequence, time * 1000, tuple(numbers[:3]), tuple(numbers[3:6]), numbers[6])
