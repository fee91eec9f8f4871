"""A file of a bag with sqlite3 storage (schema 4, as rosbag2 of Jazzy has it)."""
from contextlib import contextmanager, suppress
import sqlite3

from rosbag2_py.metadata import ROS_DISTRO, BagError

SUFFIX = '.db3'
# The journal is on the disk: what was written by half can be taken back, also after a crash.
# It knows everything before anything reaches the file.
PRESETS = {'none': 'PRAGMA journal_mode=PERSIST; PRAGMA cache_spill=OFF; PRAGMA synchronous=OFF;',
           'resilient': 'PRAGMA journal_mode=PERSIST; PRAGMA cache_spill=OFF; '
                        'PRAGMA synchronous=NORMAL;'}
SCHEMA = f"""
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
    """Writes one file; messages are in it as they were given together, or not at all."""

    chunk_size = 2 ** 20        # [byte] that are better written than kept
    is_readable_unclosed = True
    closing_size = 2 ** 16      # what is still to be written when the file is closed [byte]

    def __init__(self, path, preset='', configuration=''):
        """Create a file.  Raises BagError, OSError."""
        if (preset or 'none') not in PRESETS:
            raise BagError(f'storage preset profile {preset!r} of sqlite3: must be one of '
                           f'{", ".join(PRESETS)}')
        if configuration:
            raise NotImplementedError('configuration files of sqlite3 are not part of embedded_ros')
        # The thread that writes and the one that closes may differ; their owner locks.
        self._database = sqlite3.connect(path, check_same_thread=False)
        with self._or_nothing():
            self._database.executescript(PRESETS[preset or 'none'] + SCHEMA)
        self._types = set()
        self._topics = []       # that are not in the file yet: statements with values

    def add_topic(self, number, topic, qos_text, definition, encoding='ros2msg'):
        """Make a topic (TopicMetadata) known under a number, with the definition of its type."""
        self._topics.append((
            'INSERT INTO topics VALUES(?, ?, ?, ?, ?, ?)',
            (number, topic.name, topic.type, topic.serialization_format, qos_text,
             topic.type_description_hash)))
        if topic.type not in self._types:
            self._types.add(topic.type)
            self._topics.append((
                'INSERT INTO message_definitions(topic_type, encoding, encoded_message_definition, '
                'type_description_hash) VALUES(?, ?, ?, ?)',
                (topic.type, encoding, definition, topic.type_description_hash)))

    def write(self, messages):
        """Write messages (number of the topic, stamp, data).

        Raises OSError if they cannot be written; the file is then as before.
        """
        with self._or_nothing():
            self._write_topics()
            self._database.executemany(
                'INSERT INTO messages(topic_id, timestamp, data) VALUES(?, ?, ?)', messages)
        self._topics = []

    def close(self, version, metadata_text):
        """Write the metadata and close; without them the file can be read as well."""
        try:
            with self._or_nothing():
                self._write_topics()
                self._database.execute(
                    'INSERT INTO metadata(metadata_version, metadata) VALUES(?, ?)',
                    (version, metadata_text))
        finally:
            with suppress(sqlite3.Error):
                self._database.execute('PRAGMA journal_mode=DELETE')
            self._database.close()

    def _write_topics(self):
        for statement, values in self._topics:
            self._database.execute(statement, values)

    @contextmanager
    def _or_nothing(self):
        """Do all of it, or raise OSError."""
        try:
            yield
            self._database.commit()
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):       # else it is taken back before the next use
                self._database.rollback()
            raise OSError(str(error)) from None
