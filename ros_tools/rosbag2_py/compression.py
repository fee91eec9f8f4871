"""Compression of bags with zstd: of every message, or of whole files when they are complete."""
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
import shutil
import sys

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from rosbag2_py.parts import part_of

FORMATS = ('zstd',)
SUFFIX = '.zstd'
BLOCK = 2 ** 20         # [byte] that are compressed at a time


class CompressionMode(Enum):
    """What is compressed."""

    NONE = 0
    FILE = 1
    MESSAGE = 2


@dataclass
class CompressionOptions:
    """How a bag is compressed."""

    compression_format: str
    compression_mode: CompressionMode = CompressionMode.NONE


def compression_mode_from_string(text):
    """The mode of its name, in any case; NONE for an empty one.  Raises ValueError."""
    try:
        return CompressionMode[(text or 'none').upper()]
    except KeyError:
        names = ', '.join(mode.name.lower() for mode in CompressionMode)
        raise ValueError(f'compression mode {text!r}: must be one of {names}') from None


def compressed_message(data):
    """A message as a frame with its size, as rosbag2 wants it."""
    return zstd.compress(bytes(data))


def compress_file(path):
    """Replace a file by its compressed one; the path of that.  Raises OSError."""
    path = Path(path)
    new = path.with_name(path.name + SUFFIX)
    compressor = zstd.ZstdCompressor()
    compressor.set_pledged_input_size(path.stat().st_size)
    with part_of(new) as part, open(path, 'rb') as source, open(part, 'wb') as target:
        while block := source.read(BLOCK):
            target.write(compressor.compress(block))
        target.write(compressor.flush())
    path.unlink()
    return new


def decompressed_message(data):
    """A message of its frame."""
    return zstd.decompress(data)


def decompress_file(path, target):
    """Write what a compressed file contains; the path of that.  Raises OSError, ZstdError."""
    with zstd.open(path, 'rb') as source, open(target, 'wb') as plain:
        shutil.copyfileobj(source, plain, BLOCK)
    return target
