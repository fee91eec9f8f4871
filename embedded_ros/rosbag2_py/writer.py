"""Writing a bag."""
from collections import Counter
from pathlib import Path
import shutil
import threading
import time

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

DEFAULT_STORAGE = 'mcap'
STORAGES = ('mcap', 'sqlite3')
FLUSH_PERIOD = 0.5      # [s] after which messages are brought to the file
RETRY_PERIOD = 1.0      # [s] after which a file that could not be written is tried again
MOST_WAITING = 100 * 2 ** 20    # [byte] of messages kept in memory while nothing can be written
NEVER = 2 ** 63 - 1


def storage_file_class(storage_id):
    """(class, file suffix) of a storage.  Raises BagError."""
    if storage_id == 'sqlite3':
        from rosbag2_py import sqlite_file
        return sqlite_file.SqliteFile, sqlite_file.SUFFIX
    if storage_id == 'mcap':
        from rosbag2_py import mcap_file
        return mcap_file.McapFile, mcap_file.SUFFIX
    raise BagError(
        f"No storage could be initialized for '{storage_id}': there are {', '.join(STORAGES)}"
    )


class BagWriter:
    """Writes a new bag, in one file or several; may be used by several threads.

    Messages wait in memory for at most FLUSH_PERIOD (while more arrive) or `max_cache_size` bytes.
    Where nothing can be written, as on a full disk, they wait until that is possible again, and
    are left out once they are too many.  problem: why nothing can be written at present, or empty;
    lost: messages that were left out.
    """

    def __init__(self, compression=None):
        """compression: CompressionOptions, without them nothing is compressed.  Raises BagError."""
        self._lock = threading.RLock()
        self._file = self._metadata = self._reserve = None
        self._is_open = False
        self.problem, self.lost, self._unclosed = '', 0, ''
        self._compression = compression or CompressionOptions('')
        if compression and compression.compression_format not in FORMATS:
            raise BagError(f'compression format {compression.compression_format!r}: must be '
                           f'one of {", ".join(FORMATS)}')

    def open(self, storage_options, converter_options=None):
        """Create the bag's folder and first file.  Raises BagError."""
        if storage_options.snapshot_mode:
            raise NotImplementedError('StorageOptions.snapshot_mode is not part of embedded_ros')
        formats = {'', 'cdr'}
        if converter_options and not {converter_options.input_serialization_format,
                                      converter_options.output_serialization_format} <= formats:
            raise NotImplementedError('only the serialization format cdr is part of embedded_ros')
        self._options = storage_options
        self._folder = Path(storage_options.uri)
        storage = storage_options.storage_id or DEFAULT_STORAGE
        self._file_class, self._suffix = storage_file_class(storage)
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
        mode = self._compression.compression_mode
        self._metadata = BagMetadata(
            storage_identifier=storage, custom_data=dict(storage_options.custom_data),
            compression_format=self._compression.compression_format,
            compression_mode='' if mode is CompressionMode.NONE else mode.name)
        self._topics = {}           # name -> (number, TopicInformation)
        self._definitions = {}
        self._waiting = []          # (number of the topic, stamp, data) not in the file yet
        self._waiting_bytes = self._end = 0
        self._tried_at = time.monotonic()
        try:
            self._reserve = Reserve(self._folder)
            self._open_file()
        except OSError as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise BagError(f'Failed to create a bag in {self._folder}: {error}') from None
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        self._is_open = True

    def _open_file(self):
        path = f'{self._folder.name}_{len(self._metadata.files)}{self._suffix}'
        try:
            self._file = self._file_class(self._folder / path, self._options.storage_preset_profile,
                                          self._options.storage_config_uri)
        except OSError:
            (self._folder / path).unlink(missing_ok=True)
            raise
        self._information = FileInformation(path, NEVER)
        self._file_end = self._bytes = 0
        self._metadata.files.append(self._information)
        self._metadata.relative_file_paths.append(path)
        for number, information in self._topics.values():
            self._add_to_file(number, information.topic_metadata)

    def _add_to_file(self, number, topic):
        qos = topic_to_dict(topic)['offered_qos_profiles']
        self._file.add_topic(number, topic, yaml.safe_dump(qos, sort_keys=False),
                             self._definitions[topic.name])

    def create_topic(self, topic_with_type, message_definition=None):
        """Announce a topic (TopicMetadata); messages of others are refused."""
        self._check_open()
        topic = topic_with_type
        with self._lock:
            if topic.name in self._topics:
                return
            topic.type_description_hash = topic.type_description_hash or type_hash(topic.type)
            self._definitions[topic.name] = (message_definition.encoded_message_definition
                                             if message_definition else full_definition(topic.type))
            information = TopicInformation(topic)
            self._topics[topic.name] = len(self._topics) + 1, information
            self._metadata.topics_with_message_count.append(information)
            if self._file:
                self._add_to_file(self._topics[topic.name][0], topic)

    def remove_topic(self, topic_with_type):
        """Forget a topic that has no messages."""
        with self._lock:
            _, information = self._topics.get(topic_with_type.name, (None, None))
            if information and not information.message_count:
                del self._topics[topic_with_type.name]
                self._metadata.topics_with_message_count.remove(information)

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
        self._tried_at = time.monotonic()
        try:
            self._write_waiting()
            self.problem = ''
        except OSError as error:
            self.problem = reason(error)

    def _write_waiting(self):
        """Bring all messages to the file, or to several.  Raises OSError."""
        waiting = self._waiting
        while waiting or self._file is None:
            if self._file is None:
                self._open_file()
            count = self._room_for(waiting)
            part = self._piece(waiting[:count])
            if part:
                self._reserve.hold(self._file.closing_size)
                self._file.write(part)
                self._note(part)
                del waiting[:len(part)]
            if waiting and len(part) == count:
                self._split()

    def _room_for(self, waiting):
        """Return how many of the messages still go into this file; at least one in an empty one."""
        size, duration = self._options.max_bagfile_size, self._options.max_bagfile_duration
        if not (size or duration):
            return len(waiting)
        total, start = self._bytes, self._information.starting_time_ns
        for count, (_, stamp, data) in enumerate(waiting):
            start = min(start, stamp)
            if (self._information.message_count or count) and (
                    (size and total >= size) or (duration and stamp - start >= duration * 10 ** 9)):
                return count
            total += len(data)
        return len(waiting)

    def _piece(self, messages):
        """The first of some messages, as many as are written at a time."""
        size = 0
        for count, (_, _, data) in enumerate(messages):
            if size > self._file.chunk_size:
                return messages[:count]
            size += len(data)
        return messages

    def _note(self, written):
        """Count messages that are in the file."""
        counts = Counter(number for number, _, _ in written)
        for number, information in self._topics.values():
            information.message_count += counts[number]
        stamps, size = [stamp for _, stamp, _ in written], sum(len(data) for _, _, data in written)
        self._information.starting_time_ns = min(self._information.starting_time_ns, *stamps)
        self._information.message_count += len(written)
        self._file_end = max(self._file_end, *stamps)
        self._bytes += size
        self._waiting_bytes -= size

    def split_bagfile(self):
        """Go on in a new file."""
        self._check_open()
        with self._lock:
            self._flush()
            if self._file and not self.problem:
                try:
                    self._split()
                except OSError as error:
                    self.problem = reason(error)
            self._flush()

    def _split(self):
        """Close the present file, the next message begins another one.  Raises OSError."""
        self._close_file()
        MetadataIo().write_metadata(self._folder, self._metadata)

    def take_snapshot(self):
        """Not there."""
        raise NotImplementedError('snapshots are not part of embedded_ros')

    def _close_file(self):
        """Close the present file; `_unclosed` says why it cannot be read as it is, if so."""
        information, file = self._information, self._file
        information.duration_ns = max(0, self._file_end - information.starting_time_ns)
        if not information.message_count:
            information.starting_time_ns = 0
        filled = [one for one in self._metadata.files if one.message_count]
        self._end = max(self._end, self._file_end)
        start = min((one.starting_time_ns for one in filled), default=0)
        self._metadata.starting_time_ns = start
        self._metadata.duration_ns = max(0, self._end - start)
        self._metadata.message_count = sum(one.message_count for one in filled)
        self._file = None
        try:
            file.close(self._metadata.version, metadata_to_yaml(self._metadata))
        except OSError as error:
            if not file.is_readable_unclosed:
                self._unclosed = f'{information.path} has no index: {reason(error)}'
            return
        if self._compression.compression_mode is CompressionMode.FILE:
            self._compress(information)

    def _compress(self, information):
        """Compress a closed file; where that cannot be, it stays as it is."""
        paths = self._metadata.relative_file_paths
        try:
            new = compress_file(self._folder / information.path).name
        except OSError as error:
            if len(paths) == 1:
                self._metadata.compression_format = self._metadata.compression_mode = ''
            else:
                self._unclosed = f'{information.path} is not compressed: {reason(error)}'
            return
        paths[paths.index(information.path)] = information.path = new

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
            if self._file:
                self._close_file()
            self.problem = self._unclosed
            try:
                if not self._unclosed:
                    self._reserve.become(self._folder / FILE_NAME,
                                         MetadataIo().serialize_metadata(self._metadata))
            except OSError as error:
                self.problem = f'{FILE_NAME}: {reason(error)}'
            self._reserve.remove()

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
        """Create the bag's folder and first file.  Raises BagError."""
        self._writer.open(storage_options, converter_options)

    def create_topic(self, topic_with_type):
        """Announce a topic (TopicMetadata); messages of others are refused."""
        self._writer.create_topic(topic_with_type)

    def remove_topic(self, topic_with_type):
        """Forget a topic that has no messages."""
        self._writer.remove_topic(topic_with_type)

    def write(self, topic_name, message, time_stamp):
        """Take a serialized message with its receive time [ns]."""
        self._writer.write(topic_name, message, time_stamp)

    def split_bagfile(self):
        """Go on in a new file."""
        self._writer.split_bagfile()

    def take_snapshot(self):
        """Not there."""
        self._writer.take_snapshot()


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
