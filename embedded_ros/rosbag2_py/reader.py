"""Reading a bag."""
from contextlib import contextmanager
from pathlib import Path
import re

from rosbag2_py.definitions import MessageDefinition
from rosbag2_py.metadata import (
    BagError,
    BagMetadata,
    FileInformation,
    MetadataIo,
    TopicInformation,
    topic_from_dict,
)
from rosbag2_py.options import (
    ConverterOptions,
    ReadOrder,
    ReadOrderSortBy,
    StorageFilter,
    StorageOptions,
)


class SequentialReader:
    """Reads the messages of a bag one after the other, as serialized bytes."""

    def __init__(self):
        self._reader = None

    def open(self, storage_options, converter_options):
        """Open a bag's folder, or a single file of one.  Raises BagError."""
        from rosbag2_py.guarded_reader import GuardedReader
        self._uri, self._reader = storage_options.uri, None
        with self._or_bag_error('no bag that can be read'):
            reader = GuardedReader(self._uri)
            try:
                reader.open()
            except BaseException:
                reader.release()
                raise
        self._reader = reader
        self._filter, self._order = StorageFilter(), ReadOrder()
        self._start = self._next = self._messages = None

    def open_uri(self, uri):
        """Open a bag, whatever its storage."""
        self.open(StorageOptions(uri=uri), ConverterOptions())

    def close(self):
        """Close the bag."""
        if self._reader:
            self._reader.close()
            self._reader = None

    def set_read_order(self, order):
        """Read by receive times, forwards or backwards; False if that order is not there."""
        if order.sort_by == ReadOrderSortBy.PublishedTimestamp:
            return False
        self._order = order
        self._restart()
        return True

    def set_filter(self, storage_filter):
        """Leave out messages from now on."""
        self._filter = storage_filter
        self._restart()

    def reset_filter(self):
        """Leave out nothing from now on."""
        self.set_filter(StorageFilter())

    def seek(self, timestamp):
        """Go on with the first message at or after (backwards: before) this time [ns]."""
        self._start, self._next, self._messages = timestamp, None, None

    def _restart(self):
        """Apply the filter to what was not yet read."""
        if self._next is not None:
            self._start = self._next[1]
        self._next = self._messages = None

    def has_next(self):
        """Whether there is another message."""
        self._check_open()
        if self._next is None:
            with self._or_bag_error('damaged'):
                if self._messages is None:
                    self._messages = self._begin()
                self._next = next(self._messages, None)
        return self._next is not None

    def read_next(self):
        """(topic, serialized message, receive time [ns]) of the next message."""
        if not self.has_next():
            raise BagError('The bag is at its end: call has_next() first')
        (connection, stamp, data), self._next = self._next, None
        return connection.topic, bytes(data), stamp

    def _begin(self):
        chosen = [
            connection
            for connection in self._reader.connections
            if is_chosen(connection.topic, self._filter)
        ]
        if not chosen:
            return iter(())
        if not self._order.reverse:
            return iter(self._reader.messages(chosen, start=self._start))
        stop = None if self._start is None else self._start + 1
        return reversed(list(self._reader.messages(chosen, stop=stop)))

    def get_all_topics_and_types(self):
        """TopicMetadata of every topic."""
        return [topic.topic_metadata for topic in self.get_metadata().topics_with_message_count]

    def get_all_message_definitions(self):
        """MessageDefinition of every type."""
        self._check_open()
        return list({connection.msgtype: MessageDefinition(
            connection.msgtype, encoded_message_definition=connection.msgdef.data,
            type_hash=connection.digest) for connection in self._reader.connections}.values())

    def get_metadata(self):
        """BagMetadata; of a single file, what the file says."""
        self._check_open()
        if Path(self._uri).is_dir():
            return MetadataIo().read_metadata(self._uri)
        with self._or_bag_error('damaged'):
            return file_metadata(Path(self._uri), self._reader)

    @contextmanager
    def _or_bag_error(self, what):
        """Make a BagError of whatever the storage raises over a damaged file."""
        try:
            yield
        except BagError as error:
            words = str(error)
            raise BagError(words if words.startswith(str(self._uri)) else
                           f'{self._uri}: {what}: {words}') from None
        except Exception as error:      # of sqlite, YAML, numbers, texts: there is no end of kinds
            reason = ' '.join(str(error).split()) or type(error).__name__
            raise BagError(f'{self._uri}: {what}: {reason}; `ros2 bag reindex` recovers what can '
                           'be read') from None

    def _check_open(self):
        if self._reader is None:
            raise BagError('Bag is not open. Call open() before reading.')


class SequentialCompressionReader(SequentialReader):
    """Reads a compressed bag; a SequentialReader does so as well."""


def is_chosen(topic, choice):
    """Whether a StorageFilter lets a topic through."""
    wanted = True
    if choice.topics or choice.regex:
        wanted = topic in choice.topics or bool(
            choice.regex and re.fullmatch(choice.regex, topic))
    return wanted and topic not in choice.exclude_topics and not (
        choice.regex_to_exclude and re.fullmatch(choice.regex_to_exclude, topic))


def chosen_topics(reader, choice):
    """TopicMetadata of the topics of a reader that a StorageFilter lets through."""
    return [topic for topic in reader.get_all_topics_and_types() if is_chosen(topic.name, choice)]


def file_metadata(path, reader):
    """BagMetadata of a single file, from the open rosbags reader of it."""
    from rosbags.rosbag2.metadata import dump_qos_v9
    count = reader.message_count
    start = reader.start_time if count else 0
    duration = max(0, reader.duration - 1) if count else 0      # rosbags counts one past the end
    topics = [
        TopicInformation(topic_from_dict(number, {
            'name': connection.topic, 'type': connection.msgtype,
            'serialization_format': connection.ext.serialization_format,
            'offered_qos_profiles': dump_qos_v9(connection.ext.offered_qos_profiles),
            'type_description_hash': connection.digest}), connection.msgcount)
        for number, connection in enumerate(reader.connections)]
    return BagMetadata(
        bag_size=path.stat().st_size,
        storage_identifier='mcap' if path.suffix == '.mcap' else 'sqlite3',
        relative_file_paths=[path.name],
        files=[FileInformation(path.name, start, duration, count)],
        duration_ns=duration,
        starting_time_ns=start,
        message_count=count,
        topics_with_message_count=topics,
        ros_distro=reader.ros_distro or 'unknown',
    )
