"""A file of a bag with mcap storage, written with rosbags."""
from binascii import crc32
from collections import defaultdict
from io import BytesIO
from pathlib import Path
import struct

from rosbags.interfaces import (
    Connection,
    ConnectionExtRosbag2,
    MessageDefinition,
    MessageDefinitionFormat,
)
from rosbags.rosbag2.enums import CompressionMode
from rosbags.rosbag2.storage_mcap import McapWriter, PendingChunk

from rosbag2_py.mcap_options import mcap_options
from rosbag2_py.mcap_records import CHUNK, HEAD, MESSAGE_INDEX

SUFFIX = '.mcap'
MESSAGE = struct.Struct('<BQHIQQ')      # record, size, channel, sequence, log and publish time
FIXED = MESSAGE.size - 9                # [byte] of these behind record and size
NEVER = 2 ** 63 - 1
FORMATS = {'ros2msg': MessageDefinitionFormat.MSG, 'ros2idl': MessageDefinitionFormat.IDL}


class McapFile:
    """Writes one file, in chunks; a chunk is in it as a whole or not at all.

    The description of a topic stands before the chunk that needs it first, and in it: where
    either is damaged, the messages of other chunks can still be read.
    """

    is_readable_unclosed = False

    def __init__(self, path, preset='', configuration='', options=None):
        """Create a file; options: McapOptions instead of the others.  Raises BagError, OSError."""
        self._options = options or mcap_options(preset, configuration)
        path = Path(path)
        self._writer = McapWriter(path.parent, CompressionMode.NONE)
        self._writer.path = self._writer.path.rename(path)
        self._writer.bio.close()
        self._writer.bio = self._file = RawFile(path)
        self._types = set()
        self._definitions = 0               # [byte]
        self.chunk_size = self._options.chunk_size

    @property
    def closing_size(self):
        """What is still to be written when the file is closed, without metadata [byte]."""
        return 2 * self._definitions + sum(chunk.tell() + HEAD.size
                                           for chunk in self._writer.chunks)

    def add_topic(self, number, topic, qos_text, definition, encoding='ros2msg'):
        """Make a topic (TopicMetadata) known under a number, with the definition of its type."""
        connection = Connection(
            number,
            topic.name,
            topic.type,
            MessageDefinition(FORMATS.get(encoding, MessageDefinitionFormat.MSG), definition),
            topic.type_description_hash,
            0,
            ConnectionExtRosbag2(topic.serialization_format, []),
            self,
        )
        before = self._writer.chunk.bio.tell()
        if topic.type not in self._types:
            self._types.add(topic.type)
            self._writer.add_msgtype(connection)
        self._writer.add_connection(connection, qos_text)
        self._definitions += self._writer.chunk.bio.tell() - before

    def write(self, messages):
        """Write messages (number of the topic, stamp, data) as a chunk.

        Raises OSError if they cannot be written; the file is then as before.
        """
        writer, known = self._writer, self._writer.chunk.bio.getvalue()     # types and topics
        index, records, place = defaultdict(list), [known], len(known)
        for number, stamp, data in messages:
            index[number].append((stamp, place))
            records += (MESSAGE.pack(5, FIXED + len(data), number, 0, stamp, stamp), data)
            place += MESSAGE.size + len(data)
        stamps = [stamp for _, stamp, _ in messages]
        first, last = min(stamps), max(stamps)
        end = self._file.tell()
        try:
            self._file.write(known)
            entry = self._write_chunk(first, last, b''.join(records), index)
        except OSError:
            self._file.cut(end)
            raise
        writer.chunks.append(entry)
        writer.chunk = PendingChunk(NEVER, 0, BytesIO(), defaultdict(list))
        writer.message_start_time = min(writer.message_start_time, first)
        writer.message_end_time = max(writer.message_end_time, last)
        for number, entries in index.items():
            writer.channel_stats[number] += len(entries)

    def _write_chunk(self, first, last, records, index):
        """Write a chunk and its message indices; the entry of it for the index of chunks.

        Source: MCAP format specification, sections Chunk, Message Index, Chunk Index.
        """
        begin, name = self._file.tell(), text(self._options.compression)
        content = self._options.compress(records)
        self._record(CHUNK, struct.pack('<QQQI', first, last, len(records), crc32(records)), name,
                     struct.pack('<Q', len(content)), content)
        end, offsets = self._file.tell(), b''
        for number, entries in index.items():
            offsets += struct.pack('<HQ', number, self._file.tell())
            self._record(MESSAGE_INDEX, struct.pack('<HI', number, 16 * len(entries)),
                         *(struct.pack('<QQ', *entry) for entry in entries))
        entry = BytesIO()
        entry.write(b''.join((
            struct.pack('<QQQQI', first, last, begin, end - begin, len(offsets)), offsets,
            struct.pack('<Q', self._file.tell() - end), name,
            struct.pack('<QQ', len(content), len(records)))))
        return entry

    def _record(self, code, *parts):
        self._file.write(b''.join((HEAD.pack(code, sum(map(len, parts))), *parts)))

    def close(self, version, metadata_text):
        """Write the index and close; a file whose index cannot be written is closed without."""
        end = self._file.tell()
        try:
            if self._writer.chunk.bio.tell():       # topics without messages
                self._file.write(self._writer.chunk.bio.getvalue())
                self._writer.chunk = PendingChunk(NEVER, 0, BytesIO(), defaultdict(list))
            self._writer.close(version, metadata_text)
        except OSError:
            self._file.cut(end)
            self._file.close()
            raise


def text(value):
    """A text as records have it."""
    data = value.encode()
    return struct.pack('<I', len(data)) + data


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
