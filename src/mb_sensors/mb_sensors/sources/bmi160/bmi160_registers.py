"""Registers and FIFO of the Bosch BMI160.  Source: its data sheet, BST-BMI160-DS000."""

from typing import NamedTuple

CHIP_ID, ERROR, POWER, FORCE_DATA, SENSOR_TIME, STATUS = 0x00, 0x02, 0x03, 0x12, 0x18, 0x1B
TEMPERATURE, FIFO_LENGTH, FIFO_DATA = 0x20, 0x22, 0x24
FORCE_CONF, FORCE_RANGE, RATE_CONF, RATE_RANGE = 0x40, 0x41, 0x42, 0x43
FIFO_CONFIG, SELF_TEST, OFFSETS, COMMAND = 0x47, 0x6D, 0x77, 0x7E

IDENTITY = 0xD1
FORCE_NORMAL, RATE_NORMAL, FIFO_FLUSH, SOFT_RESET = 0x11, 0x15, 0xB0, 0xB6     # commands
FORCE_POWERED, RATE_POWERED = 0x10, 0x04                                        # in POWER
RATE_SELF_TEST, RATE_SELF_TEST_OK = 0x10, 0x02                  # in SELF_TEST, in STATUS
# Of the accelerometer: 1600 Hz, 8 g, high amplitude, and 2 g between the two sides.
FORCE_SELF_TEST_CONF, FORCE_SELF_TEST_RANGE, FORCE_SELF_TEST_LEAST = 0x2C, 8, 8192
FORCE_SELF_TEST_PLUS, FORCE_SELF_TEST_MINUS = 0x0D, 0x09                        # in SELF_TEST
OFFSETS_ON = 0xC0                                       # of gyroscope and accelerometer, in OFFSETS
FIFO_TIME, FIFO_HEADER, FIFO_FORCE, FIFO_RATE = 0x02, 0x10, 0x40, 0x80          # in FIFO_CONFIG
FIFO_SIZE = 1024

TICKS_PER_SECOND = 25_600
TICK_PERIOD = 2 ** 24
TIME_PERIOD = TICK_PERIOD * 1_000_000_000 // TICKS_PER_SECOND       # of the sensor time [ns]
OUTPUT_RATES = {25: 0x06, 50: 0x07, 100: 0x08, 200: 0x09, 400: 0x0A, 800: 0x0B, 1600: 0x0C}   # [Hz]
FORCE_RANGES = {2: 0x03, 4: 0x05, 8: 0x08, 16: 0x0C}                # [g]
RATE_RANGES = {2000: 0, 1000: 1, 500: 2, 250: 3, 125: 4}            # [deg/s]
NORMAL_FILTER = 0x20
FULL_SCALE = 2 ** 15
GRAVITY = 9.80665
_NO_TEMPERATURE = -2 ** 15

_RATE, _FORCE, _BOTH = 0x88, 0x84, 0x8C     # headers of frames with data
_SKIPPED, _TIME, _CHANGED, _EMPTY = 0x40, 0x44, 0x48, 0x80
TIME_FRAME, DATA_FRAME = 4, 13              # sizes with header


class FifoError(ValueError):
    """What was read is no FIFO content."""


class FifoFrame(NamedTuple):
    """Raw angular rates and specific forces (3) of one instant, None for what is not in it."""

    rate: tuple[int, int, int] | None
    force: tuple[int, int, int] | None


class FifoContent(NamedTuple):
    """Frames, oldest first; how many were lost before them; sensor time [ticks] at the end.

    The time is None if the read ended before it.
    """

    frames: list
    skipped: int
    time: int | None


def parse_fifo(data: bytes):
    """Return the FifoContent in what a burst read gave.  Raises FifoError."""
    frames, skipped, begin = [], 0, 0
    while begin < len(data):
        header = data[begin] & 0xFC
        if header == _EMPTY:
            break
        if header not in _SIZES:
            raise FifoError(f'{data[begin]:02x}h is no header of a FIFO frame')
        size = _SIZES[header]
        body = data[begin + 1:begin + size]
        if len(body) < size - 1:        # the device gives it again
            break
        if header == _TIME:
            return FifoContent(frames, skipped, int.from_bytes(body, 'little'))
        if header == _SKIPPED:
            skipped += body[0]
        elif header == _BOTH:
            frames.append(FifoFrame(triple(body), triple(body[6:])))
        elif header == _RATE:
            frames.append(FifoFrame(triple(body), None))
        elif header == _FORCE:
            frames.append(FifoFrame(None, triple(body)))
        begin += size
    return FifoContent(frames, skipped, None)


def fifo_frame(frame: FifoFrame):
    """Return the bytes of a FifoFrame."""
    header = {(True, True): _BOTH, (True, False): _RATE, (False, True): _FORCE}[
        frame.rate is not None, frame.force is not None]
    values = [*(frame.rate or ()), *(frame.force or ())]
    return bytes([header]) + b''.join(v.to_bytes(2, 'little', signed=True) for v in values)


def skip_frame(number: int):
    """Return the bytes that report lost frames."""
    return bytes([_SKIPPED, min(number, 255)])


def time_frame(ticks: int):
    """Return the bytes of the sensor time [ticks]."""
    return bytes([_TIME]) + (ticks % TICK_PERIOD).to_bytes(3, 'little')


def empty(size: int):
    """Return the bytes of reads beyond the content of the FIFO."""
    return bytes([_EMPTY] * size)


def temperature(raw: int):
    """Return the temperature [deg C] of a raw value, None while there is none."""
    return None if raw == _NO_TEMPERATURE else 23.0 + raw / 512.0


def triple(body: bytes):
    """Return the three raw values in six bytes."""
    return tuple(int.from_bytes(body[k:k + 2], 'little', signed=True) for k in (0, 2, 4))


_SIZES = {_RATE: 7, _FORCE: 7, _BOTH: DATA_FRAME, _SKIPPED: 2, _TIME: TIME_FRAME, _CHANGED: 2}
