"""Readers of rosbags that trust no file: bounded, and going on behind a damaged chunk."""
from functools import partial
import heapq
from os import SEEK_END
from pathlib import Path, PurePath

from rosbags.rosbag2 import Reader, storage_mcap
from rosbags.rosbag2.reader import DirectoryReader
from rosbags.rosbag2.storage_sqlite3 import Sqlite3Reader
import yaml

from rosbag2_py.bounds import Nameless, decompressed_chunk, decompressed_message, unpacked
from rosbag2_py.compression import SUFFIX
from rosbag2_py.mcap_records import (
    CHUNK,
    HEAD,
    MESSAGE,
    RecordError,
    chunk_content,
    chunk_records,
    parse_chunk,
    parse_message,
)
from rosbag2_py.metadata import FILE_NAME, ROOT_KEY, BagError, MetadataIo

LATEST = 2 ** 63 - 1


def _decompressed(name, data, size):
    return decompressed_chunk(data, name, size)


# Files without an index are read by rosbags alone.
storage_mcap.DECOMPRESSORS.update(
    {name: partial(_decompressed, name) for name in ('lz4', 'zstd')})


class GuardedMcapReader(storage_mcap.McapReader):
    """Reads an mcap file; damaged chunks are left out, which is said."""

    def messages(self, connections, start=None, stop=None):
        """Yield (connection, stamp, data) in the order of stamps, from start on, before stop."""
        if not self.chunks:
            yield from super().messages(connections, start, stop)
            return
        start, stop = start or 0, LATEST if stop is None else stop
        wanted = {connection.id: connection for connection in connections}
        read = []               # (stamp, place of the chunk, place in it, channel, data)
        for info in sorted(self.chunks, key=lambda one: one[:3]):
            if info.message_end_time < start or info.message_start_time >= stop or not any(
                    info.channel_count.get(number, 0) for number in wanted):
                continue
            while read and read[0][0] < info.message_start_time:
                stamp, _, _, channel, data = heapq.heappop(read)
                yield wanted[channel], stamp, data
            for k, message in enumerate(self._content(info, wanted)):
                if message.channel in wanted and start <= message.stamp < stop:
                    heapq.heappush(read, (message.stamp, info.chunk_start_offset, k,
                                          message.channel, message.data))
        while read:
            stamp, _, _, channel, data = heapq.heappop(read)
            yield wanted[channel], stamp, data

    def _content(self, info, wanted):
        """The messages of a chunk, none of a damaged one."""
        try:
            end = info.chunk_start_offset + info.chunk_length
            if info.chunk_length < HEAD.size or end > self.bio.seek(0, SEEK_END):
                raise RecordError('it is not in the file')
            self.bio.seek(info.chunk_start_offset)
            data = self.bio.read(info.chunk_length)
            if data[0] != CHUNK:
                raise RecordError('it is not where it should be')
            content = chunk_content(data, parse_chunk(data, HEAD.size, len(data)))
            return [parse_message(content, begin, end)
                    for code, begin, end in chunk_records(content) if code == MESSAGE]
        except (BagError, RecordError) as error:
            count = sum(info.channel_count.get(number, 0) for number in wanted)
            say(f'{self.path}: the chunk at byte {info.chunk_start_offset} is damaged ({error}): '
                f'{count} messages are left out')
            return []


class GuardedDirectoryReader(DirectoryReader):
    """Reads a folder with a bag of either storage."""

    STORAGE_PLUGINS = {'mcap': GuardedMcapReader, 'sqlite3': Sqlite3Reader}


class GuardedReader(Reader):
    """Reads a bag; its files are decompressed to files without a name."""

    STORAGE_PLUGINS = {'dir': GuardedDirectoryReader, '.mcap': GuardedMcapReader,
                       '.db3': Sqlite3Reader}

    def __init__(self, uri):
        """Find a bag.  Raises BagError and whatever rosbags raises."""
        self._unpacked, self._compressed_messages = [], False
        super().__init__(self._opened(Path(uri)))

    def _opened(self, path):
        """What rosbags is to read in place of a folder."""
        if not path.is_dir() or not (path / FILE_NAME).is_file():
            return path
        metadata = MetadataIo().read_metadata(path)     # checked, other than by rosbags
        mode = metadata.compression_mode.lower()
        if mode in ('', 'none'):
            return path
        if metadata.compression_format != 'zstd' or mode not in ('file', 'message'):
            raise BagError(f'{path}: compressed by {mode} as {metadata.compression_format}, which '
                           'cannot be read')
        self._compressed_messages = mode == 'message'
        files = {}
        if mode == 'file':
            for name in metadata.relative_file_paths:
                file = path / PurePath(name).name
                if file.suffix == SUFFIX:
                    self._unpacked.append(unpacked(file))
                    files[file.name] = Nameless(self._unpacked[-1], str(file))
        return Plain(path, files)

    def messages(self, connections=(), start=None, stop=None):
        """Yield (connection, stamp, data); messages that cannot be decompressed as they are."""
        for connection, stamp, data in super().messages(connections, start, stop):
            yield connection, stamp, self._message(data)

    def _message(self, data):
        if not self._compressed_messages:
            return data
        try:
            return decompressed_message(data)
        except BagError:
            return data         # no message, as its reader finds out

    def close(self):
        """Close the bag, and let go of what was decompressed."""
        try:
            super().close()
        finally:
            self.release()

    def release(self):
        """Let go of what was decompressed."""
        for file in self._unpacked:
            file.close()
        self._unpacked.clear()


class Plain:
    """A folder with a compressed bag as rosbags is to see it: not compressed.

    files: where some of its files are instead, by name.
    """

    suffix = ''

    def __init__(self, path, files):
        self._path, self._files = path, files

    def exists(self):
        return True

    def is_dir(self):
        return True

    def __str__(self):
        return str(self._path)

    def __truediv__(self, name):
        if str(name) == FILE_NAME:
            return PlainMetadata(self._path / FILE_NAME)
        return self._files.get(str(name), self._path / name)


class PlainMetadata:
    """The metadata of a bag that is compressed no more."""

    def __init__(self, path):
        self._path = path

    def exists(self):
        return True

    def read_text(self, encoding=None):
        """The text without compression."""
        document = yaml.safe_load(self._path.read_text(encoding='utf-8'))
        document[ROOT_KEY] |= {'compression_format': '', 'compression_mode': ''}
        return yaml.safe_dump(document)


def say(text):
    """Warn on the log."""
    from rclpy.logging import get_logger
    get_logger('rosbag2_storage').warning(text)
