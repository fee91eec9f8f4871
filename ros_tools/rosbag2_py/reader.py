"""Reading a bag, and comparing what is read with what it states."""
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

from rosbag2_py.files import BagFiles
from rosbag2_py.metadata import BagError, MetadataIo
from rosbag2_py.options import ConverterOptions, StorageFilter, StorageOptions


class SequentialReader:
    """Reads the messages of a bag one after the other, as serialized bytes."""

    def __init__(self):
        self._bag = None

    def open(self, storage_options, converter_options):
        """Open a bag's folder, or a single file of one.

        Raises BagError, also where its files do not have the messages that its metadata state.
        """
        self._uri, self._bag = storage_options.uri, None
        with self._or_bag_error('no bag that can be read'):
            self._bag = BagFiles(Path(self._uri))
        self._filter, self._start = StorageFilter(), None
        self._next = self._messages = None

    def open_uri(self, uri):
        """Open a bag, whatever its storage."""
        self.open(StorageOptions(uri=uri), ConverterOptions())

    def close(self):
        """Close the bag."""
        if self._bag:
            bag, self._bag = self._bag, None
            with self._or_bag_error('damaged'):
                bag.close()

    def set_filter(self, storage_filter):
        """Leave out messages from now on."""
        self._filter = storage_filter
        if self._next is not None:
            self._start = self._next[2]
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
            try:        # no context: a bag has millions of messages
                if self._messages is None:
                    self._messages = self._chosen()
                self._next = next(self._messages, None)
            except Exception as error:
                raise self._bag_error('damaged', error) from None
        return self._next is not None

    def _chosen(self):
        """Yield (topic, data, stamp); then, from the first one on, all must have been there."""
        choice, start, read = self._filter, self._start, Counter()
        metadata = self.get_metadata()
        for message in self._bag.messages(choice.lets_through, start):
            read[message[0]] += 1
            yield message
        if start is None or start <= metadata.starting_time_ns:
            for topic in metadata.topics_with_message_count:
                read[topic.topic_metadata.name] -= topic.message_count
            lacking = [f'{-count} of {topic}' for topic, count in read.items()
                       if count and choice.lets_through(topic)]
            if lacking:
                raise BagError(f'{self._uri}: messages that it states cannot be read: '
                               f'{", ".join(lacking)}')

    def read_next(self):
        """(topic, serialized message, receive time [ns]) of the next message."""
        if not self.has_next():
            raise BagError('The bag is at its end: call has_next() first')
        message, self._next = self._next, None
        return message

    def get_all_topics_and_types(self):
        """TopicMetadata of every topic."""
        return [topic.topic_metadata for topic in self.get_metadata().topics_with_message_count]

    def get_metadata(self):
        """BagMetadata, with the times of the messages; of a single file, what the file says."""
        self._check_open()
        return self._bag.metadata

    @contextmanager
    def _or_bag_error(self, what):
        """Make a BagError of whatever rosbags raises over a damaged file."""
        try:
            yield
        except Exception as error:      # of sqlite, YAML, numbers, texts: there is no end of kinds
            raise self._bag_error(what, error) from None

    def _bag_error(self, what, error):
        if isinstance(error, BagError):
            return error
        reason = ' '.join(str(error).split()) or type(error).__name__
        return BagError(f'{self._uri}: {what}: {reason}')

    def _check_open(self):
        if self._bag is None:
            raise BagError('Bag is not open. Call open() before reading.')


def message_definitions(reader):
    """{type: MessageDefinition of rosbags} of the types whose definition the bag of a reader has.

    Jazzy's readers have no method for it.
    """
    return reader._bag.definitions


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
