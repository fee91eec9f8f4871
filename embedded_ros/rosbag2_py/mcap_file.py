"""A file of a bag with mcap storage, written with rosbags."""
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

SUFFIX = '.mcap'
MESSAGE = struct.Struct('<BQHIQQ')      # record, size, channel, sequence, log and publish time
FIXED = MESSAGE.size - 9                # [byte] of these behind record and size
NEVER = 2 ** 63 - 1


class McapFile:
    """Writes one file, in chunks; a chunk is in it as a whole or not at all."""

    def __init__(self, path, preset='', configuration=''):
        """Create a file; preset, configuration: see mcap_options.  Raises BagError, OSError."""
        self._options = mcap_options(preset, configuration)
        path = Path(path)
        self._writer = McapWriter(path.parent, CompressionMode.NONE)
        self._writer.path = self._writer.path.rename(path)
        self._writer.bio.close()
        self._writer.bio = self._file = RawFile(path)
        self._writer.compression = self._options.compression
        self._writer.compressor = self._options.compress
        self._types = set()
        self.chunk_size = self._options.chunk_size

    def add_topic(self, number, topic, qos_text, definition):
        """Make a topic (TopicMetadata) known under a number, with the definition of its type."""
        connection = Connection(
            number,
            topic.name,
            topic.type,
            MessageDefinition(MessageDefinitionFormat.MSG, definition),
            topic.type_description_hash,
            0,
            ConnectionExtRosbag2(topic.serialization_format, []),
            self,
        )
        if topic.type not in self._types:
            self._types.add(topic.type)
            self._writer.add_msgtype(connection)
        self._writer.add_connection(connection, qos_text)

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
        writer.chunk = PendingChunk(first, last, BytesIO(), index)
        writer.chunk.bio.write(b''.join(records))
        end, chunks = self._file.tell(), len(writer.chunks)
        try:
            writer.close_chunk()
        except OSError:
            self._file.cut(end)
            del writer.chunks[chunks:]
            writer.chunk = PendingChunk(NEVER, 0, BytesIO(), defaultdict(list))
            writer.chunk.bio.write(known)
            raise
        writer.message_start_time = min(writer.message_start_time, first)
        writer.message_end_time = max(writer.message_end_time, last)
        for number, entries in index.items():
            writer.channel_stats[number] += len(entries)

    def close(self, version, metadata_text):
        """Write the index and close; a file whose index cannot be written is closed without."""
        end = self._file.tell()
        try:
            self._writer.close(version, metadata_text)
        except OSError:
            self._file.cut(end)
            self._file.close()
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
