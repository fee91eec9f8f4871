"""One file of a bag, opened by rosbags; the statistics of an mcap file are compared with it."""
from collections import Counter
from itertools import pairwise

from rosbags.rosbag2.storage_mcap import McapReader, get_msgdef
from rosbags.rosbag2.storage_sqlite3 import Sqlite3Reader

from rosbag2_py.metadata import BagError

READERS = {'mcap': McapReader, 'sqlite3': Sqlite3Reader}


class BagFile:
    """An open file of a bag.

    connections: topics, as rosbags has them, with their numbers of messages; count: of all
    messages; start, end: first and last stamp [ns], None without messages.
    """

    def __init__(self, path, storage):
        """Open a file.  Raises BagError if its statistics are not true, and what rosbags raises."""
        self._reader = READERS[storage](path)
        if storage == 'mcap':
            self._reader.schemas = Schemas()
        self._reader.open()
        try:
            self.is_indexed = storage != 'mcap' or is_indexed(self._reader)
            if not self.is_indexed:
                check_statistics(path, self._reader)
        except BaseException:
            self.close()
            raise
        known = self._reader.metadata
        self.connections, self.count = list(self._reader.connections), known.message_count
        self.start, self.end = (
            known.start_time, known.end_time - 1) if self.count else (None, None)

    def messages(self, connections, start):
        """Yield (connection, stamp [ns], data) of topics from a stamp on, in order of stamps."""
        if self.is_indexed:
            return self._reader.messages(connections, start)
        stamps = (stamp for _, stamp, _ in self._reader.messages_scan(connections, start))
        found = self._reader.messages_scan
        if all(one <= other for one, other in pairwise(stamps)):
            return found(connections, start)
        return iter(sorted(found(connections, start), key=lambda message: message[1]))

    def close(self):
        """Close the file."""
        self._reader.close()


class Schemas(dict):
    """Definitions of types in an mcap file by number; what has no definition does not end it.

    rosbag2 writes events of services with a schema whose encoding is `unknown`.
    """

    def __setitem__(self, number, schema):
        """Keep a schema, without its content where rosbags knows no such encoding."""
        try:
            get_msgdef(schema)
        except KeyError:
            schema = schema._replace(encoding='', data='')
        super().__setitem__(number, schema)


def is_indexed(reader):
    """Whether the index of an mcap file has just the messages that its statistics state."""
    stated, filled = reader.statistics, [chunk for chunk in reader.chunks if chunk.channel_count]
    counts = Counter()
    for chunk in filled:
        counts.update(chunk.channel_count)
    return bool(filled) and (
        counts == +Counter(stated.channel_message_counts)
        and sum(counts.values()) == stated.message_count
        and min(chunk.message_start_time for chunk in filled) == stated.start_time
        and max(chunk.message_end_time for chunk in filled) == stated.end_time)


def check_statistics(path, reader):
    """Compare the statistics of an mcap file with its messages.  Raises BagError."""
    counts, start, end = Counter(), None, None
    for connection, stamp, _ in reader.messages_scan(reader.connections):
        counts[connection.id] += 1
        start = stamp if start is None else min(start, stamp)
        end = stamp if end is None else max(end, stamp)
    stated, found = reader.statistics, sum(counts.values())
    if stated.message_count != found or +Counter(stated.channel_message_counts) != counts or (
            found and (start, end) != (stated.start_time, stated.end_time)):
        raise BagError(f'{path}: its statistics do not fit its {found} messages (they state '
                       f'{stated.message_count}); `ros2 bag reindex` of its folder mends it')
