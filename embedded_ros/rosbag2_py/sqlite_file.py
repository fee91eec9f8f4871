"""A file of a bag with sqlite3 storage (schema 4, as rosbag2 of Jazzy has it)."""
import sqlite3

from rosbag2_py.metadata import ROS_DISTRO

SUFFIX = '.db3'
SCHEMA = f"""
PRAGMA journal_mode=MEMORY;
PRAGMA synchronous=OFF;
CREATE TABLE schema(schema_version INTEGER PRIMARY KEY, ros_distro TEXT NOT NULL);
CREATE TABLE metadata(id INTEGER PRIMARY KEY, metadata_version INTEGER NOT NULL,
    metadata TEXT NOT NULL);
CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,
    serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL,
    type_description_hash TEXT NOT NULL);
CREATE TABLE message_definitions(id INTEGER PRIMARY KEY, topic_type TEXT NOT NULL,
    encoding TEXT NOT NULL, encoded_message_definition TEXT NOT NULL,
    type_description_hash TEXT NOT NULL);
CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL,
    data BLOB NOT NULL);
CREATE INDEX timestamp_idx ON messages (timestamp ASC);
INSERT INTO schema(schema_version, ros_distro) VALUES (4, '{ROS_DISTRO}');
"""


class SqliteFile:
    """Writes one file; messages are kept until `flush`."""

    def __init__(self, path):
        # The thread that writes and the one that closes may differ; their owner locks.
        self._database = sqlite3.connect(path, check_same_thread=False)
        self._database.executescript(SCHEMA)
        self._types = set()
        self._pending = []

    def add_topic(self, number, topic, qos_text, definition):
        """Make a topic (TopicMetadata) known under a number, with the definition of its type."""
        self._database.execute(
            'INSERT INTO topics VALUES(?, ?, ?, ?, ?, ?)',
            (number, topic.name, topic.type, topic.serialization_format, qos_text,
             topic.type_description_hash))
        if topic.type not in self._types:
            self._types.add(topic.type)
            self._database.execute(
                'INSERT INTO message_definitions(topic_type, encoding, encoded_message_definition, '
                'type_description_hash) VALUES(?, ?, ?, ?)',
                (topic.type, 'ros2msg', definition, topic.type_description_hash))

    def write(self, number, stamp, data):
        """Take a message of the topic with this number."""
        self._pending.append((number, stamp, data))

    def flush(self):
        """Bring all messages to the file."""
        pending, self._pending = self._pending, []
        self._database.executemany(
            'INSERT INTO messages(topic_id, timestamp, data) VALUES(?, ?, ?)', pending)
        self._database.commit()

    def close(self, version, metadata_text):
        """Write what is left and close."""
        self.flush()
        self._database.execute('INSERT INTO metadata(metadata_version, metadata) VALUES(?, ?)',
                               (version, metadata_text))
        self._database.commit()
        self._database.close()
