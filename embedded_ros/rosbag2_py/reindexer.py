"""New metadata for a bag that lost its own, as after a crash."""
from pathlib import Path
from tempfile import TemporaryDirectory

from rosbag2_py.compression import (
    FORMATS,
    SUFFIX,
    CompressionMode,
    compress_file,
    decompress_file,
)
from rosbag2_py.info import Info
from rosbag2_py.mcap_mending import mend
from rosbag2_py.metadata import BagError, BagMetadata, MetadataIo
from rosbag2_py.reader import SequentialReader
from rosbag2_py.reserve import NAME as RESERVE

STORAGE_SUFFIXES = ('.db3', '.mcap')
FRAME = b'\x28\xb5\x2f\xfd'     # begins what zstd compressed; no serialized message begins so


class Reindexer:
    """Writes metadata.yaml from what the files of a bag contain."""

    def reindex(self, storage_options):
        """Close its files where need be, read them, write the metadata.  Raises BagError."""
        folder = Path(storage_options.uri)
        (folder / RESERVE).unlink(missing_ok=True)
        paths = sorted((path for path in folder.glob('*') if plain_suffix(path)),
                       key=lambda path: (len(path.name), path.name))
        if not paths:
            raise BagError(f'{folder}: no files of a bag there')
        for path in paths:
            if path.suffix == '.mcap':
                mend(path)
        if any(path.suffix == SUFFIX for path in paths):
            paths = [path if path.suffix == SUFFIX else compress_file(path) for path in paths]
        contents = [content(path) for path in paths]
        parts, mode = [part for part, _ in contents], max(
            (mode for _, mode in contents), key=lambda mode: mode.value)
        filled = [part for part in parts if part.message_count] or parts[:1]
        start = min(part.starting_time_ns for part in filled)
        end = max(part.starting_time_ns + part.duration_ns for part in filled)
        MetadataIo().write_metadata(folder, BagMetadata(
            storage_identifier=parts[0].storage_identifier,
            relative_file_paths=[path.name for path in paths],
            files=[file for part in parts for file in part.files],
            starting_time_ns=start, duration_ns=end - start,
            message_count=sum(part.message_count for part in parts),
            compression_format='' if mode is CompressionMode.NONE else FORMATS[0],
            compression_mode='' if mode is CompressionMode.NONE else mode.name,
            topics_with_message_count=merged_topics(parts)))


def plain_suffix(path):
    """The suffix of a file's storage, empty for other files."""
    suffix = Path(path.name.removesuffix(SUFFIX)).suffix
    return suffix if suffix in STORAGE_SUFFIXES else ''


def content(path):
    """BagMetadata of one file, and how it is compressed."""
    if path.suffix != SUFFIX:
        return Info().read_metadata(str(path)), mode_of_messages(path)
    with TemporaryDirectory() as folder:
        part = Info().read_metadata(str(decompress_file(path, folder)))
    part.files[0].path = path.name
    return part, CompressionMode.FILE


def mode_of_messages(path):
    """Whether the messages of a file are compressed."""
    reader = SequentialReader()
    reader.open_uri(str(path))
    try:
        if reader.has_next() and reader.read_next()[1].startswith(FRAME):
            return CompressionMode.MESSAGE
        return CompressionMode.NONE
    finally:
        reader.close()


def merged_topics(parts):
    """TopicInformation of all files together."""
    topics = {}
    for part in parts:
        for information in part.topics_with_message_count:
            first = topics.setdefault(information.topic_metadata.name, information)
            if first is not information:
                first.message_count += information.message_count
    return list(topics.values())
