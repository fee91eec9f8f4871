"""The files of a bag, opened by rosbags: their topics are found by name and type, and counted.

The QoS of a topic plays no part: users edit it in metadata.yaml, to replay with another.
"""
from collections import Counter
from contextlib import ExitStack
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

from rosbags.rosbag2.metadata import dump_qos_v9

from rosbag2_py.bag_file import READERS, BagFile
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
