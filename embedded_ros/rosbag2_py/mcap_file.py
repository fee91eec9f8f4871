"""A file of a bag with mcap storage, written by rosbags."""
from pathlib import Path

from rosbags.interfaces import (
    Connection,
    ConnectionExtRosbag2,
    MessageDefinition,
    MessageDefinitionFormat,
)
from rosbags.rosbag2.enums import CompressionMode
from rosbags.rosbag2.storage_mcap import McapWriter

SUFFIX = '.mcap'


class McapFile:
    """Writes one file."""

    def __init__(self, path):
        path = Path(path)
        self._writer = McapWriter(path.parent, CompressionMode.NONE)
        self._writer.path = self._writer.path.rename(path)
        self._connections = {}
        self._types = set()

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
        self._connections[number] = connection

    def write(self, number, stamp, data):
        """Take a message of the topic with this number."""
        self._writer.write(self._connections[number], stamp, data)

    def flush(self):
        """Bring all messages to the file, as a chunk (rosbags does so for every 1 MiB)."""
        if self._writer.chunk.msgs:
            self._writer.close_chunk()
            self._writer.bio.flush()

    def close(self, version, metadata_text):
        """Write what is left and close."""
        self._writer.close(version, metadata_text)
