"""How much may come out of what is compressed in a bag, and where it goes."""
import os
from tempfile import TemporaryFile

from lz4 import frame as lz4

from rosbag2_py.compression import BLOCK, zstd
from rosbag2_py.metadata import BagError

SMALL, FACTOR = 64 * 2 ** 20, 1000      # this many bytes, and so many for each compressed one
FREE_SHARE = 0.9                        # of the disk's free space, that a file may take
MEMORY_SHARE = 0.25                     # of the free memory, that a chunk or message may take
MAGICS = (b'SQLite format 3\0', b'\x89MCAP0\r\n')
HEAD = 18                               # [byte] at most of a zstd frame's header


def most(compressed, free):
    """How many bytes may come out of so many, where so many are free."""
    return min(SMALL + FACTOR * compressed, int(free))


def free_memory():
    """Memory that a piece of a bag may take [byte]."""
    with open('/proc/meminfo', encoding='ascii') as handle:
        kilobytes = dict(line.split(':') for line in handle)['MemAvailable'].split()[0]
    return MEMORY_SHARE * 1024 * int(kilobytes)


def bytes_free(folder):
    """Room on the disk of a folder, or of an open file, that a file may take [byte]."""
    place = os.statvfs(folder)
    return FREE_SHARE * place.f_bavail * place.f_frsize


def decompressed_chunk(data, compression, size):
    """A chunk of an mcap file, of the size that the file states.  Raises BagError."""
    if compression not in ('', 'lz4', 'zstd'):
        raise BagError(f'compressed as {compression!r}, which is not known')
    if not compression:
        content = bytes(data)
    else:
        limit = most(len(data), free_memory())
        if size > limit:
            raise BagError(too_much(size, len(data), limit))
        content = _zstd(data, size) if compression == 'zstd' else _lz4(data, size)
    if len(content) != size:
        raise BagError(f'a chunk is not of the {size} bytes that it states')
    return content


def decompressed_message(data):
    """A message that was compressed with zstd.  Raises BagError."""
    limit = most(len(data), free_memory())
    content = _zstd(data, limit)
    if len(content) > limit:
        raise BagError(too_much(len(content), len(data), limit))
    return content


def too_much(size, compressed, limit):
    """Words for what is refused."""
    return (f'{compressed} bytes would become {size} or more, but at most {limit} are '
            'decompressed (1000 times as much, and what is free)')


def _zstd(data, size):
    """What a zstd frame holds, no more than a byte beyond `size`."""
    reader = zstd.ZstdDecompressor()
    try:
        content = reader.decompress(data, max_length=size + 1)
        while not reader.eof and not reader.needs_input and len(content) <= size:
            content += reader.decompress(b'', max_length=size + 1 - len(content))
    except zstd.ZstdError as error:
        raise BagError(f'damaged: {error}') from None
    if not reader.eof and len(content) <= size:
        raise BagError('damaged: what is compressed ends too early')
    return content


def _lz4(data, size):
    """What an lz4 frame holds, no more than a byte beyond `size`."""
    reader = lz4.LZ4FrameDecompressor()
    try:
        content = reader.decompress(data, max_length=size + 1)
        while not reader.eof and not reader.needs_input and len(content) <= size:
            content += reader.decompress(b'', max_length=size + 1 - len(content))
    except RuntimeError as error:
        raise BagError(f'damaged: {error}') from None
    return content


def unpacked(path, damaged=None):
    """A file without a name, with what a compressed file of a bag holds.  Raises BagError, OSError.

    It is gone with its process, however that ends.  damaged: list for words of what is wrong
    with the end, which is left out then; without it that raises.
    """
    compressed = os.stat(path).st_size
    target = TemporaryFile()        # noqa: SIM115  its owner closes it
    try:
        limit = most(compressed, bytes_free(target.fileno()))
        stated = _stated_size(path)
        if stated is not None and stated > limit:
            raise BagError(f'{path}: {too_much(stated, compressed, limit)}')
        try:
            _copy(path, target, compressed, limit)
        except (zstd.ZstdError, EOFError) as error:
            if damaged is None:
                raise BagError(f'{path}: damaged: {error}') from None
            damaged.append(f'{path}: {error}')
        target.flush()
    except BaseException:
        target.close()
        raise
    return target


def _copy(path, target, compressed, limit):
    with zstd.open(path, 'rb') as source:
        while block := source.read(BLOCK):
            if not target.tell() and not block.startswith(MAGICS):
                raise BagError(f'{path}: what is compressed is no file of a bag')
            if target.tell() + len(block) > limit:
                raise BagError(f'{path}: {too_much(limit + 1, compressed, limit)}')
            target.write(block)


def _stated_size(path):
    """The size that a compressed file states of itself, None if it does not."""
    with open(path, 'rb') as handle:
        head = handle.read(HEAD)
    try:
        return zstd.get_frame_info(head).decompressed_size
    except (zstd.ZstdError, ValueError):
        return None


class Nameless:
    """A file without a name as what rosbags reads from, in place of a path."""

    def __init__(self, file, name):
        self._file, self._name = file, name

    def __str__(self):
        return self._name

    @property
    def suffix(self):
        return os.path.splitext(self._name)[1]

    def exists(self):
        return True

    def stat(self, **_):
        return os.fstat(self._file.fileno())

    def open(self, mode='rb'):
        """Open it once more, with a place of its own."""
        return open(f'/proc/self/fd/{self._file.fileno()}', mode)
