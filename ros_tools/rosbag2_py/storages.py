"""Files of bags as they are written while they are recorded: by rosbags, and safe against crashes.

What was written together is in a file as a whole or not at all.
"""
from binascii import crc32
from collections import defaultdict
from contextlib import contextmanager, suppress
from functools import partial
from io import BytesIO
import sqlite3

from rosbags.interfaces import Connection, ConnectionExtRosbag2
from rosbags.rosbag2.enums import CompressionMode
from rosbags.rosbag2.storage_mcap import McapWriter, PendingChunk
from rosbags.rosbag2.storage_sqlite3 import Sqlite3Writer

from rosbag2_py.compression import zstd
from rosbag2_py.metadata import ROS_DISTRO, BagError

NEVER = 2 ** 63 - 1
CRC_PLACE = 9 + 24      # [byte] behind the begin of a chunk


def connection_of(number, topic, definition):
    """A topic (TopicMetadata) as rosbags has it, with the MessageDefinition of its type."""
    return Connection(
        number, topic.name, topic.type, definition,
        topic.type_description_hash, 0, ConnectionExtRosbag2(topic.serialization_format, []), None)


def check_preset(preset, presets, storage):
    """What a preset profile stands for.  Raises BagError."""
    try:
        return presets[preset or 'none']
    except KeyError:
        raise BagError(f'storage preset profile {preset!r} of {storage}: must be one of '
                       f'{", ".join(presets)}') from None


class McapFile(McapWriter):
    """Writes an mcap file, in chunks."""

    SUFFIX = '.mcap'
    PRESETS = {'none': None, 'fastwrite': None, 'zstd_fast': 1, 'zstd_small': 19}
    chunk_size = 2 ** 20        # [byte] that are better written than kept
    is_readable_unclosed = False

    def __init__(self, path, preset=''):
        """Create a file.  Raises BagError, OSError."""
        level = check_preset(preset, self.PRESETS, 'mcap')
        super().__init__(path.parent, CompressionMode.STORAGE if level else CompressionMode.NONE)
        if level:
            self.compressor = partial(zstd.compress, level=level)
        self.bio.close()
        self.path = self.path.rename(path)
        self.bio = RawFile(path)
        self._definitions = 0               # [byte]

    @property
    def closing_size(self):
        """What is still to be written when the file is closed, without metadata [byte]."""
        return 2 * self._definitions + sum(chunk.tell() + 9 for chunk in self.chunks)

    def add_topic(self, connection, qos_text):
        """Make a topic known."""
        before = self.chunk.bio.tell()
        if connection.msgtype not in {schema.name for schema in self.schemas}:
            self.add_msgtype(connection)
        self.add_connection(connection, qos_text)
        self._definitions += self.chunk.bio.tell() - before

    def write_all(self, messages):
        """Write messages (connection, stamp, data).

        Raises OSError if they cannot be written; the file is then as before.
        """
        end, chunks = self.bio.tell(), len(self.chunks)
        known, counts = self.chunk.bio.getvalue(), dict(self.channel_stats)
        span = self.message_start_time, self.message_end_time
        try:
            for message in messages:
                self.write(*message)
            if self.chunk.bio.tell():
                self.close_chunk()
        except OSError:
            self.bio.cut(end)
            del self.chunks[chunks:]
            self.chunk = PendingChunk(NEVER, 0, BytesIO(), defaultdict(list))
            self.chunk.bio.write(known)
            self.channel_stats = counts
            self.message_start_time, self.message_end_time = span
            raise

    def close_chunk(self):
        """Write the pending chunk, and its checksum, which rosbags leaves out."""
        begin, content = self.bio.tell(), self.chunk.bio.getvalue()
        super().close_chunk()
        self.bio.patch(begin + CRC_PLACE, crc32(content).to_bytes(4, 'little'))

    def close(self, version, metadata):
        """Write the index and close; a file whose index cannot be written is closed without."""
        end = self.bio.tell()
        try:
            super().close(version, metadata)
        except OSError:
            self.bio.cut(end)
            self.bio.close()
            raise


class RawFile:
    """A file without a buffer, so that it is known how far it got."""

    def __init__(self, path):
        self._file = open(path, 'r+b', buffering=0)     # noqa: SIM115  closed by close()
        self._file.seek(0, 2)

    def write(self, data):
        """Write everything.  Raises OSError."""
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest):]

    def patch(self, place, data):
        """Write over what is at a place."""
        end = self._file.tell()
        self._file.seek(place)
        self._file.write(data)
        self._file.seek(end)

    def tell(self):
        """How far it got [byte]."""
        return self._file.tell()

    def cut(self, end):
        """Go back to where it was `end` bytes long."""
        self._file.seek(end)
        self._file.truncate()

    def close(self):
        """Close the file."""
        self._file.close()


class SqliteFile(Sqlite3Writer):
    """Writes an sqlite3 file."""

    SUFFIX = '.db3'
    # The journal is on the disk: what was written by half can be taken back, also after a crash.
    # It knows everything before anything reaches the file.
    JOURNAL = 'PRAGMA journal_mode=PERSIST; PRAGMA cache_spill=OFF; PRAGMA synchronous='
    PRESETS = {'none': 'OFF', 'resilient': 'NORMAL'}
    chunk_size = 2 ** 20        # [byte] that are better written than kept
    is_readable_unclosed = True
    closing_size = 2 ** 16      # what is still to be written when the file is closed [byte]

    def __init__(self, path, preset=''):
        """Create a file.  Raises BagError, OSError."""
        synchronous = check_preset(preset, self.PRESETS, 'sqlite3')
        # The thread that writes and the one that closes may differ; their owner locks.
        self.path, self.conn = path, sqlite3.connect(path, check_same_thread=False)
        self.cursor = self.conn.cursor()
        schema = self.SQLITE_SCHEMA.replace("'rosbags'", f"'{ROS_DISTRO}'")
        with self._or_nothing():
            self.conn.executescript(f'{self.JOURNAL}{synchronous}; {schema}')
        self._types, self._pending = set(), []      # topics that are not in the file yet

    def add_topic(self, connection, qos_text):
        """Make a topic known."""
        self._pending.append((connection, qos_text))

    def write_all(self, messages):
        """Write messages (connection, stamp, data).

        Raises OSError if they cannot be written; the file is then as before.
        """
        with self._or_nothing():
            self._write_topics()
            for message in messages:
                self.write(*message)
        self._note_topics()

    def close(self, version, metadata):
        """Write the metadata and close; without them the file can be read as well."""
        try:
            with self._or_nothing():
                self._write_topics()
                self.cursor.execute('INSERT INTO metadata(metadata_version, metadata) VALUES(?, ?)',
                                    (version, metadata))
        finally:
            with suppress(sqlite3.Error):
                self.conn.execute('PRAGMA journal_mode=DELETE')
            self.conn.close()

    def _write_topics(self):
        types = set(self._types)
        for connection, qos_text in self._pending:
            if connection.msgtype not in types:
                types.add(connection.msgtype)
                self.add_msgtype(connection)
            self.add_connection(connection, qos_text)

    def _note_topics(self):
        self._types |= {connection.msgtype for connection, _ in self._pending}
        self._pending.clear()

    @contextmanager
    def _or_nothing(self):
        """Do all of it, or raise OSError."""
        try:
            yield
            self.conn.commit()
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):       # else it is taken back before the next use
                self.conn.rollback()
            raise OSError(str(error)) from None


STORAGES = {'mcap': McapFile, 'sqlite3': SqliteFile}
DEFAULT_STORAGE = 'mcap'
