"""Writing a bag."""
from pathlib import Path
import threading
import time

import yaml

from rosbag2_py.definitions import full_definition, type_hash
from rosbag2_py.metadata import (
    BagError,
    BagMetadata,
    FileInformation,
    MetadataIo,
    TopicInformation,
    metadata_to_dict,
    topic_to_dict,
)

DEFAULT_STORAGE = 'mcap'
STORAGES = ('mcap', 'sqlite3')
FLUSH_PERIOD = 0.5      # [s] after which messages are brought to the file
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


class SequentialWriter:
    """Writes a new bag, in one file or several; may be used by several threads.

    Messages wait in memory for at most FLUSH_PERIOD (while more arrive) or `max_cache_size` bytes.
    """

    def __init__(self):
        self._lock = threading.RLock()
        self._file = None
        self._metadata = None

    def open(self, storage_options, converter_options=None):
        """Create the bag's folder and first file.  Raises BagError."""
        for option, value in (('snapshot_mode', storage_options.snapshot_mode),
                              ('storage_config_uri', storage_options.storage_config_uri)):
            if value:
                raise NotImplementedError(f'StorageOptions.{option} is not part of embedded_ros')
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
        self._metadata = BagMetadata(
            storage_identifier=storage, custom_data=dict(storage_options.custom_data)
        )
        self._topics = {}           # name -> (number, TopicInformation)
        self._definitions = {}
        self._end = 0
        self._open_file()

    def _open_file(self):
        path = f'{self._folder.name}_{len(self._metadata.files)}{self._suffix}'
        self._information = FileInformation(path, NEVER)
        self._file_end = self._bytes = self._unflushed = 0
        self._flushed_at = time.monotonic()
        self._metadata.files.append(self._information)
        self._metadata.relative_file_paths.append(path)
        self._file = self._file_class(self._folder / path)
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
            self._add_to_file(self._topics[topic.name][0], topic)

    def write(self, topic_name, message, time_stamp, sequence_number=0):
        """Write the serialized message received at `time_stamp` [ns].  Raises BagError."""
        self._check_open()
        with self._lock:
            try:
                number, information = self._topics[topic_name]
            except KeyError:
                raise BagError(f'Failed to write on topic {topic_name!r}. '
                               'Call create_topic() before first write.') from None
            if self._is_full(time_stamp):
                self.split_bagfile()
            self._file.write(number, time_stamp, message)
            information.message_count += 1
            self._information.message_count += 1
            self._information.starting_time_ns = min(self._information.starting_time_ns, time_stamp)
            self._file_end = max(self._file_end, time_stamp)
            self._bytes += len(message)
            self._unflushed += len(message)
            if (time.monotonic() - self._flushed_at > FLUSH_PERIOD
                    or self._unflushed > self._options.max_cache_size > 0):
                self._flush()

    def _flush(self):
        self._file.flush()
        self._flushed_at = time.monotonic()
        self._unflushed = 0

    def _is_full(self, stamp):
        size, duration = self._options.max_bagfile_size, self._options.max_bagfile_duration
        age = stamp - self._information.starting_time_ns
        return bool(self._information.message_count and (
            (size and self._bytes >= size) or (duration and age >= duration * 10 ** 9)))

    def split_bagfile(self):
        """Go on in a new file."""
        with self._lock:
            self._close_file()
            self._open_file()

    def take_snapshot(self):
        """Not there."""
        raise NotImplementedError('snapshots are not part of embedded_ros')

    def _close_file(self):
        information = self._information
        information.duration_ns = max(0, self._file_end - information.starting_time_ns)
        if not information.message_count:
            information.starting_time_ns = 0
        filled = [file for file in self._metadata.files if file.message_count]
        self._end = max(self._end, self._file_end)
        start = min((file.starting_time_ns for file in filled), default=0)
        self._metadata.starting_time_ns = start
        self._metadata.duration_ns = max(0, self._end - start)
        self._metadata.message_count = sum(file.message_count for file in filled)
        entry = metadata_to_dict(self._metadata)
        self._file.close(self._metadata.version, yaml.safe_dump(entry, sort_keys=False))
        MetadataIo().write_metadata(self._folder, self._metadata)

    def close(self):
        """Write what is left and the metadata."""
        with self._lock:
            if self._file:
                self._close_file()
                self._file = None

    def _check_open(self):
        if self._file is None:
            raise BagError('Bag is not open. Call open() before writing.')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()
