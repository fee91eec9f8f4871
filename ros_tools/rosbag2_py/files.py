"""The files of a bag, opened by rosbags: their topics are found by name and type, and counted.

The QoS of a topic plays no part: users edit it in metadata.yaml, to replay with another.
"""
from collections import Counter
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

from rosbags.rosbag2.metadata import dump_qos_v9
from rosbags.rosbag2.storage_mcap import McapReader, get_msgdef
from rosbags.rosbag2.storage_sqlite3 import Sqlite3Reader

from rosbag2_py.compression import (
    FORMATS,
    CompressionMode,
    compression_mode_from_string,
    decompress_file,
    decompressed_message,
)
from rosbag2_py.metadata import (
    VERSION,
    BagError,
    BagMetadata,
    FileInformation,
    MetadataIo,
    TopicInformation,
    topic_from_dict,
)
from rosbag2_py.stored_facts import stored_facts

STORAGE_OF = {'.mcap': 'mcap', '.db3': 'sqlite3'}
READERS = {'mcap': McapReader, 'sqlite3': Sqlite3Reader}


class BagFiles:
    """The open files of a bag.

    metadata: BagMetadata of metadata.yaml, or of a single file, with the times of the messages.
    """

    def __init__(self, path):
        """Open the folder of a bag, or a single file.

        Raises BagError where metadata and files differ, and whatever rosbags raises.
        """
        if not path.exists():
            raise BagError(f'{path}: no bag that can be read: no such file or folder')
        with ExitStack() as stack:
            if path.is_dir():
                self.metadata = MetadataIo().read_metadata(path)
                paths = stored_files(path, self.metadata, stack)
                storage = self.metadata.storage_identifier
            else:
                paths, storage = [path], STORAGE_OF.get(path.suffix)
            if storage not in READERS:
                raise BagError(f'{path}: its storage must be one of {", ".join(READERS)}, not '
                               f'{storage or path.suffix!r}')
            self._files = []
            for one in paths:
                self._files.append(BagFile(one, storage))
                stack.callback(self._files[-1].close)
            if path.is_dir():
                check_counts(path, self.metadata, self._files)
                set_times(self.metadata, self._files)
            else:
                self.metadata = file_metadata(path, storage, self._files[0])
            mode = compression_mode_from_string(self.metadata.compression_mode)
            self._is_decompressed = mode is CompressionMode.MESSAGE
            self._stack = stack.pop_all()

    @property
    def definitions(self):
        """{type: MessageDefinition of rosbags} of the types whose definition the files have."""
        return {one.msgtype: one.msgdef for file in self._files for one in file.connections
                if one.msgdef.data}

    def messages(self, lets_through, start):
        """Yield (topic, data, stamp [ns]) of topics that are let through, file by file."""
        for file in self._files:
            chosen = [one for one in file.connections if lets_through(one.topic)]
            for connection, stamp, data in file.messages(chosen, start) if chosen else ():
                yield connection.topic, (decompressed_message(data) if self._is_decompressed
                                         else bytes(data)), stamp

    def close(self):
        """Close the files."""
        self._stack.close()


def stored_files(folder, metadata, stack):
    """Paths of the files of a bag; of compressed ones copies, until a stack ends.

    Raises BagError.
    """
    if metadata.version > VERSION:
        raise BagError(f'{folder}: metadata of version {metadata.version} are not known here, '
                       f'{VERSION} at most')
    paths = [folder / PurePath(path).name for path in metadata.relative_file_paths]
    if missing := [path.name for path in paths if not path.is_file()]:
        raise BagError(f'{folder}: {", ".join(missing)}: no such file, which metadata.yaml names')
    others = {topic.topic_metadata.serialization_format
              for topic in metadata.topics_with_message_count} - {'cdr'}
    if others:
        raise BagError(f'{folder}: serialization format {", ".join(sorted(others))}: must be cdr')
    mode = compression_mode_from_string(metadata.compression_mode)
    if mode is not CompressionMode.NONE and metadata.compression_format not in FORMATS:
        raise BagError(f'{folder}: compression format {metadata.compression_format!r}: must be '
                       f'one of {", ".join(FORMATS)}')
    if mode is not CompressionMode.FILE:
        return paths
    place = Path(stack.enter_context(TemporaryDirectory(prefix='bag_')))
    return [decompress_file(path, place / path.stem) for path in paths]


def check_counts(folder, metadata, files):
    """Compare what metadata.yaml states with what files have, by topic.  Raises BagError."""
    stated, found = Counter(), Counter()
    for one in metadata.topics_with_message_count:
        stated[one.topic_metadata.name, one.topic_metadata.type] += one.message_count
    for file in files:
        for one in file.connections:
            found[one.topic, one.msgtype] += one.msgcount
    counts = [(f'{name} ({kind})', stated[name, kind], found[name, kind])
              for name, kind in stated | found]
    counts.append(('all topics', metadata.message_count, sum(file.count for file in files)))
    differences = [f'{what}: {there} messages, not {said}' for what, said, there in counts
                   if said != there]
    if differences:
        raise BagError(f'{folder}: the files do not have what metadata.yaml states: '
                       f'{"; ".join(differences)}; `ros2 bag reindex` counts anew')


def set_times(metadata, files):
    """Set the times of a bag by its messages: 0 without any."""
    filled = [file for file in files if file.count]
    metadata.starting_time_ns = min((file.start for file in filled), default=0)
    metadata.duration_ns = max((file.end for file in filled), default=0) - metadata.starting_time_ns


def file_metadata(path, storage, file):
    """BagMetadata of a single file."""
    facts = stored_facts(path)
    topics = [
        TopicInformation(topic_from_dict(number, {
            'name': connection.topic, 'type': connection.msgtype,
            'serialization_format': connection.ext.serialization_format,
            'offered_qos_profiles': dump_qos_v9(connection.ext.offered_qos_profiles),
            'type_description_hash': connection.digest}), connection.msgcount)
        for number, connection in enumerate(file.connections)]
    metadata = BagMetadata(
        bag_size=path.stat().st_size, storage_identifier=storage,
        relative_file_paths=[path.name], message_count=file.count,
        topics_with_message_count=topics, custom_data=facts.custom_data,
        ros_distro=facts.ros_distro)
    set_times(metadata, [file])
    metadata.files = [FileInformation(path.name, metadata.starting_time_ns, metadata.duration_ns,
                                      file.count)]
    return metadata


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
