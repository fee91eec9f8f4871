"""Reading a bag, by rosbags."""
from contextlib import contextmanager
from pathlib import Path

from rosbags.rosbag2 import Reader
from rosbags.rosbag2.metadata import dump_qos_v9

from rosbag2_py.metadata import (
    BagError,
    BagMetadata,
    FileInformation,
    MetadataIo,
    TopicInformation,
    topic_from_dict,
)
from rosbag2_py.options import ConverterOptions, StorageFilter, StorageOptions


class SequentialReader:
    """Reads the messages of a bag one after the other, as serialized bytes."""

    def __init__(self):
        self._reader = None

    def open(self, storage_options, converter_options):
        """Open a bag's folder, or a single file of one.  Raises BagError."""
        self._uri, self._reader = storage_options.uri, None
        with self._or_bag_error('no bag that can be read'):
            reader = Reader(Path(self._uri))
            reader.open()
        self._reader = reader
        self._filter, self._start = StorageFilter(), None
        self._next = self._messages = None

    def open_uri(self, uri):
        """Open a bag, whatever its storage."""
        self.open(StorageOptions(uri=uri), ConverterOptions())

    def close(self):
        """Close the bag."""
        if self._reader:
            reader, self._reader = self._reader, None
            with self._or_bag_error('damaged'):
                reader.close()

    def set_filter(self, storage_filter):
        """Leave out messages from now on."""
        self._filter = storage_filter
        if self._next is not None:
            self._start = self._next[1]
        self._next = self._messages = None

    def reset_filter(self):
        """Leave out nothing from now on."""
        self.set_filter(StorageFilter())

    def seek(self, timestamp):
        """Go on with the first message at or after this time [ns]."""
        self._start, self._next, self._messages = timestamp, None, None

    def has_next(self):
        """Whether there is another message."""
        self._check_open()
        if self._next is None:
            with self._or_bag_error('damaged'):
                if self._messages is None:
                    chosen = [connection for connection in self._reader.connections
                              if self._filter.lets_through(connection.topic)]
                    self._messages = iter(
                        self._reader.messages(chosen, start=self._start) if chosen else ())
                self._next = next(self._messages, None)
        return self._next is not None

    def read_next(self):
        """(topic, serialized message, receive time [ns]) of the next message."""
        if not self.has_next():
            raise BagError('The bag is at its end: call has_next() first')
        (connection, stamp, data), self._next = self._next, None
        return connection.topic, bytes(data), stamp

    def get_all_topics_and_types(self):
        """TopicMetadata of every topic."""
        return [topic.topic_metadata for topic in self.get_metadata().topics_with_message_count]

    def get_metadata(self):
        """BagMetadata; of a single file, what the file says."""
        self._check_open()
        if Path(self._uri).is_dir():
            return MetadataIo().read_metadata(self._uri)
        with self._or_bag_error('damaged'):
            return file_metadata(Path(self._uri), self._reader)

    @contextmanager
    def _or_bag_error(self, what):
        """Make a BagError of whatever rosbags raises over a damaged file."""
        try:
            yield
        except Exception as error:      # of sqlite, YAML, numbers, texts: there is no end of kinds
            reason = ' '.join(str(error).split()) or type(error).__name__
            raise BagError(f'{self._uri}: {what}: {reason}') from None

    def _check_open(self):
        if self._reader is None:
            raise BagError('Bag is not open. Call open() before reading.')


class SequentialCompressionReader(SequentialReader):
    """Reads a compressed bag; a SequentialReader does so as well."""


class Info:
    """Reads the metadata of a bag."""

    def read_metadata(self, uri, storage_id=''):
        """BagMetadata of a bag, or of a single file of one.  Raises BagError."""
        if Path(uri).is_dir():
            return MetadataIo().read_metadata(uri)
        reader = SequentialReader()
        reader.open_uri(uri)
        try:
            return reader.get_metadata()
        finally:
            reader.close()


def file_metadata(path, reader):
    """BagMetadata of a single file, from the open rosbags reader of it."""
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
