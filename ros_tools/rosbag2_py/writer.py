"""Writing a bag."""
from collections import Counter
from pathlib import Path
import shutil
import threading
import time

from rosbags.interfaces import MessageDefinition, MessageDefinitionFormat
import yaml

from rosbag2_py.compression import (
    FORMATS,
    CompressionMode,
    CompressionOptions,
    compress_file,
    compressed_message,
)
from rosbag2_py.definitions import full_definition, type_hash
from rosbag2_py.metadata import (
    FILE_NAME,
    BagError,
    BagMetadata,
    FileInformation,
    MetadataIo,
    TopicInformation,
    metadata_to_yaml,
    topic_to_dict,
)
from rosbag2_py.reserve import Reserve
from rosbag2_py.storages import DEFAULT_STORAGE, NEVER, STORAGES, connection_of

FLUSH_PERIOD = 0.5      # [s] after which messages are brought to the file
RETRY_PERIOD = 1.0      # [s] after which a file that could not be written is tried again
MOST_WAITING = 100 * 2 ** 20    # [byte] of messages kept in memory while nothing can be written


class BagWriter:
    """Writes a new bag with one file; may be used by several threads.

    Messages wait in memory for at most FLUSH_PERIOD (while more arrive) or `max_cache_size` bytes.
    Where nothing can be written, as on a full disk, they wait until that is possible again, and
    are left out once they are too many.  problem: why nothing can be written at present, or empty;
    lost: messages that were left out.
    """

    def __init__(self, compression=None):
        """compression: CompressionOptions, without them nothing is compressed.  Raises BagError."""
        self._lock = threading.RLock()
        self._is_open = False
        self.problem, self.lost = '', 0
        self._compression = compression or CompressionOptions('')
        if compression and compression.compression_format not in FORMATS:
            raise BagError(f'compression format {compression.compression_format!r}: must be '
                           f'one of {", ".join(FORMATS)}')

    def open(self, storage_options, converter_options=None):
        """Create the bag's folder and file.  Raises BagError."""
        formats = {'', 'cdr'}
        if converter_options and not {converter_options.input_serialization_format,
                                      converter_options.output_serialization_format} <= formats:
            raise NotImplementedError('only the serialization format cdr is part of ros_tools')
        self._options = storage_options
        self._folder = Path(storage_options.uri)
        storage = storage_options.storage_id or DEFAULT_STORAGE
        if storage not in STORAGES:
            raise BagError(f"No storage could be initialized for '{storage}': there are "
                           f'{", ".join(STORAGES)}')
        try:
            self._folder.mkdir(parents=True)
        except FileExistsError:
            raise BagError(
                f'Failed to create bag: the folder {self._folder} already exists'
            ) from None
        except OSError as error:
            raise BagError(
                f'Failed to create bag folder {self._folder}: {error.strerror}'
            ) from None
        path = self._folder / f'{self._folder.name}_0{STORAGES[storage].SUFFIX}'
        mode = self._compression.compression_mode
        self._information = FileInformation(path.name, NEVER)
        self._metadata = BagMetadata(
            storage_identifier=storage, relative_file_paths=[path.name], files=[self._information],
            compression_format=self._compression.compression_format,
            compression_mode='' if mode is CompressionMode.NONE else mode.name)
        self._topics = {}           # name -> (rosbags' Connection, TopicInformation)
        self._waiting = []          # (Connection, stamp, data) not in the file yet
        self._waiting_bytes = self._end = 0
        self._tried_at = time.monotonic()
        try:
            self._reserve = Reserve(self._folder)
            self._file = STORAGES[storage](path, storage_options.storage_preset_profile)
        except BaseException as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            if isinstance(error, OSError):
                raise BagError(f'Failed to create a bag in {self._folder}: {error}') from None
            raise
        self._is_open = True

    def create_topic(self, topic, message_definition=None):
        """Announce a topic (TopicMetadata); messages of others are refused.

        message_definition: MessageDefinition of its type, by default of the installed one.
        """
        self._check_open()
        with self._lock:
            if topic.name in self._topics:
                return
            topic.type_description_hash = topic.type_description_hash or type_hash(topic.type)
            definition = message_definition or MessageDefinition(
                MessageDefinitionFormat.MSG, full_definition(topic.type))
            connection = connection_of(len(self._topics) + 1, topic, definition)
            information = TopicInformation(topic)
            self._topics[topic.name] = connection, information
            self._metadata.topics_with_message_count.append(information)
            qos = topic_to_dict(topic)['offered_qos_profiles']
            self._file.add_topic(connection, yaml.safe_dump(qos, sort_keys=False))

    def write(self, topic_name, message, time_stamp):
        """Take a serialized message with its receive time [ns]."""
        self._check_open()
        with self._lock:
            if topic_name not in self._topics:
                raise BagError(f"Failed to write on topic '{topic_name}'. "
                               'Call create_topic() before the first write.')
            if self._compression.compression_mode is CompressionMode.MESSAGE:
                message = compressed_message(message)
            if self.problem and self._waiting_bytes > MOST_WAITING:
                self.lost += 1
            else:
                self._waiting.append((self._topics[topic_name][0], time_stamp, message))
                self._waiting_bytes += len(message)
            if self._is_due():
                self._flush()

    def _is_due(self):
        """Whether messages have waited long enough, or are many."""
        waited = time.monotonic() - self._tried_at
        if self.problem:
            return waited > RETRY_PERIOD
        most = min(self._options.max_cache_size or NEVER, self._file.chunk_size)
        return waited > FLUSH_PERIOD or self._waiting_bytes > most

    def _flush(self):
        """Bring all messages to the file, or note why that cannot be."""
        try:
            while self._waiting:
                part = self._piece()
                self._reserve.hold(self._file.closing_size)
                self._file.write_all(part)
                self._note(part)
                del self._waiting[:len(part)]
            self.problem = ''
        except OSError as error:
            self.problem = reason(error)
        self._tried_at = time.monotonic()       # a slow disk must not be tried at every message

    def _piece(self):
        """The first of the messages that wait, as many as are written at a time."""
        size = 0
        for count, (_, _, data) in enumerate(self._waiting):
            if size > self._file.chunk_size:
                return self._waiting[:count]
            size += len(data)
        return self._waiting[:]

    def _note(self, written):
        """Count messages that are in the file."""
        counts = Counter(connection.topic for connection, _, _ in written)
        for topic, count in counts.items():
            self._topics[topic][1].message_count += count
        stamps = [stamp for _, stamp, _ in written]
        self._information.starting_time_ns = min(self._information.starting_time_ns, *stamps)
        self._information.message_count += len(written)
        self._end = max(self._end, *stamps)
        self._waiting_bytes -= sum(len(data) for _, _, data in written)

    def close(self):
        """Write what is left, and the metadata; what cannot be written is counted as lost.

        Then `problem` says why the bag cannot be read as it is, if so.
        """
        with self._lock:
            if not self._is_open:
                return
            self._is_open = False
            self._flush()
            self.lost += len(self._waiting)
            self._waiting.clear()
            self._reserve.release()
            self.problem = self._close_file()
            try:
                if not self.problem:
                    self._reserve.become(self._folder / FILE_NAME,
                                         MetadataIo().serialize_metadata(self._metadata))
            except OSError as error:
                self.problem = f'{FILE_NAME}: {reason(error)}'
            self._reserve.remove()

    def _close_file(self):
        """Close the file; the words why it cannot be read as it is, if so."""
        information, metadata = self._information, self._metadata
        if not information.message_count:
            information.starting_time_ns = 0
        information.duration_ns = max(0, self._end - information.starting_time_ns)
        metadata.starting_time_ns = information.starting_time_ns
        metadata.duration_ns = information.duration_ns
        metadata.message_count = information.message_count
        try:
            self._file.close(metadata.version, metadata_to_yaml(metadata))
        except OSError as error:
            if not self._file.is_readable_unclosed:
                return f'{information.path} has no index: {reason(error)}'
            return ''
        if self._compression.compression_mode is CompressionMode.FILE:
            try:
                information.path = compress_file(self._folder / information.path).name
                metadata.relative_file_paths = [information.path]
            except OSError:         # the file stays as it is
                metadata.compression_format = metadata.compression_mode = ''
        return ''

    def _check_open(self):
        if not self._is_open:
            raise BagError('Bag is not open. Call open() before writing.')

    def __del__(self):
        self.close()


def reason(error):
    """The words of an OSError."""
    return error.strerror or str(error)


class _Writer:
    """What rosbag2's writers offer."""

    def __init__(self, compression=None):
        self._writer = BagWriter(compression)

    def open(self, storage_options, converter_options):
        """Create the bag's folder and file.  Raises BagError."""
        self._writer.open(storage_options, converter_options)

    def create_topic(self, topic_with_type):
        """Announce a topic (TopicMetadata); messages of others are refused."""
        self._writer.create_topic(topic_with_type)

    def write(self, topic_name, message, time_stamp):
        """Take a serialized message with its receive time [ns]."""
        self._writer.write(topic_name, message, time_stamp)


class SequentialWriter(_Writer):
    """Writes a bag."""

    def __init__(self):
        super().__init__()

    def close(self):
        """Write what is left, and the metadata."""
        self._writer.close()


class SequentialCompressionWriter(_Writer):
    """Writes a bag that is compressed, which is complete when the writer is deleted."""

    def __init__(self, compression_options):
        """Compress as the CompressionOptions say.  Raises BagError."""
        super().__init__(compression_options)
        if compression_options.compression_mode is CompressionMode.NONE:
            raise BagError('SequentialCompressionWriter requires a CompressionMode that is not '
                           'NONE!')
