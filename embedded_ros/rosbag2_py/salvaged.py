"""What was found in a file of a bag, whatever its storage: topics and messages."""
from pathlib import Path
from typing import NamedTuple

from rosbag2_py.mcap_file import McapFile
from rosbag2_py.mcap_options import McapOptions
from rosbag2_py.mcap_salvage import McapSalvage
from rosbag2_py.metadata import TopicMetadata
from rosbag2_py.sqlite_file import SqliteFile
from rosbag2_py.sqlite_journal import is_sound
from rosbag2_py.sqlite_salvage import MAGIC as SQLITE_MAGIC, SqliteSalvage

LATEST = 2 ** 63                        # times [ns] are before


class Topic(NamedTuple):
    """A topic with the texts that files have of it."""

    metadata: TopicMetadata
    qos: str
    definition: str
    encoding: str = 'ros2msg'


class SalvagedMcap:
    """The content of an mcap file.

    topics: Topics by number, as far as they are known by then; losses: in words; unfinished: words,
    if the file only was not written to its end.
    """

    def __init__(self, path):
        self._salvage = McapSalvage(path)
        with open(path, 'rb') as handle:
            self.is_one = handle.read(8) == b'\x89MCAP0\r\n'

    @property
    def topics(self):
        """Topics by number."""
        found = {}
        for channel in self._salvage.channels.values():
            schema = self._salvage.schemas.get(channel.schema)
            if schema:
                found[channel.number] = Topic(
                    TopicMetadata(channel.number, channel.topic, schema.name, channel.encoding),
                    channel.metadata.get('offered_qos_profiles', ''), schema.definition,
                    schema.encoding)
        return found

    def messages(self):
        """Yield lists of (number of the topic, stamp [ns], data)."""
        for found in self._salvage.messages():
            known = self.topics
            kept = [message for message in found if message.channel in known]
            self._salvage.lost += len(found) - len(kept)
            if kept:
                yield kept

    @property
    def losses(self):
        """What could not be read, in words, once messages() has come to its end."""
        lost = self._salvage.lost
        return self._salvage.losses + (
            [f'in all, {lost} messages or more are missing'] if lost else [])

    @property
    def unfinished(self):
        """Why the file has no end."""
        return self._salvage.unfinished

    def new_file(self, path):
        """A file like it, empty, once messages() has begun.  Raises OSError."""
        return McapFile(path, options=McapOptions(self._salvage.compression))

    def is_intact(self):
        """Whether nothing is to be mended, as far as reading it all has shown."""
        return not self.losses and not self.unfinished


class SalvagedSqlite:
    """The content of an sqlite3 file; see SalvagedMcap."""

    unfinished = ''

    def __init__(self, path):
        self._path = Path(path)
        with open(path, 'rb') as handle:
            self.is_one = handle.read(16) == SQLITE_MAGIC
        self.topics, self.losses = {}, []

    def is_intact(self):
        """Whether SQLite finds nothing wrong."""
        return self.is_one and is_sound(self._path)

    def messages(self):
        """Yield lists of (number of the topic, stamp [ns], data)."""
        self._find_topics()
        salvage, size = SqliteSalvage(self._path), self._path.stat().st_size
        seen, lost, waiting, bytes_waiting = set(), 0, [], 0
        for row in salvage.rows():
            if not _is_message(row.values) or row.number in seen or not 0 < row.number <= size:
                continue
            seen.add(row.number)
            _, topic, stamp, data = row.values
            if topic not in self.topics or not 0 <= stamp < LATEST:
                lost += 1
                continue
            waiting.append((topic, stamp, data))
            bytes_waiting += len(data)
            if bytes_waiting > SqliteFile.chunk_size:
                yield waiting
                waiting, bytes_waiting = [], 0
        if waiting:
            yield waiting
        lost += max(seen, default=0) - len(seen)
        self.losses.append('its pages are damaged' if not lost else
                           f'its pages are damaged: {lost} messages are missing, or more at its '
                           'end')

    def _find_topics(self):
        topics, definitions = {}, {}
        for row in SqliteSalvage(self._path).rows():
            values = row.values
            if _is_texts(values, 4) and values[2] in ('ros2msg', 'ros2idl'):
                definitions[values[1]] = values[3]
            elif any(_is_texts(values, count) for count in (3, 4, 5)) and values[3] == 'cdr':
                _, name, kind, encoding, qos, type_hash, *_ = (*values, '', '')
                topics.setdefault(row.number, Topic(
                    TopicMetadata(row.number, name, kind, encoding, [], type_hash), qos, ''))
        for number, topic in topics.items():
            self.topics[number] = topic._replace(
                definition=definitions.get(topic.metadata.type, ''))

    def new_file(self, path):
        """A file like it, empty.  Raises OSError."""
        return SqliteFile(str(path))


def _is_message(values):
    kinds = [type(value) for value in values]
    return kinds == [type(None), int, int, bytes]


def _is_texts(values, count):
    """Whether a row has a number of its own and so many texts."""
    return (len(values) == count + 1 and values[0] is None
            and all(isinstance(value, str) for value in values[1:]))
