"""New metadata for a bag that lost its own, as after a crash, and new files for damaged ones."""
from pathlib import Path
import shutil

from rclpy.logging import get_logger

from rosbag2_py.bounds import unpacked
from rosbag2_py.compression import BLOCK, FORMATS, SUFFIX, CompressionMode, compress_file
from rosbag2_py.info import Info
from rosbag2_py.metadata import BagError, BagMetadata, MetadataIo
from rosbag2_py.reader import SequentialReader
from rosbag2_py.recovery import keep_damaged, recover
from rosbag2_py.reserve import NAME as RESERVE
from rosbag2_py.signals import ending_on_sigterm

STORAGE_SUFFIXES = ('.db3', '.mcap')
FRAME = b'\x28\xb5\x2f\xfd'     # begins what zstd compressed; no serialized message begins so


class Reindexer:
    """Writes metadata.yaml from what the files of a bag contain."""

    def reindex(self, storage_options):
        """Mend its files where need be, read them, write the metadata; what was lost, in words.

        A file keeps its content until a new one is there that was read back.  Raises BagError if
        none of the files can be read.
        """
        folder = Path(storage_options.uri)
        with ending_on_sigterm():
            return self._reindex(folder)

    def _reindex(self, folder):
        paths = files_of(folder)
        if not paths:
            raise BagError(f'{folder}: no files of a bag there')
        (folder / RESERVE).unlink(missing_ok=True)
        parts, losses, problems = [], [], []
        if any(path.suffix == SUFFIX for path in paths):
            try:
                paths = [path if path.suffix == SUFFIX else compress_file(path) for path in paths]
            except OSError as error:
                raise BagError(f'{folder}: not all files can be compressed: {error}') from None
        for path in paths:
            try:
                part, mode, found = mended(path)
                parts.append((part, mode))
                losses += [f'{path.name}: {words}' for words in found]
            except BagError as error:
                problems.append(str(error))
        if not parts:
            raise BagError('; '.join(problems))
        for words in [*losses, *problems]:
            get_logger('rosbag2_reindexer').warning(words)
        try:
            write_metadata(folder, parts)
        except OSError as error:
            raise BagError(f'{folder}: no metadata can be written: {error}') from None
        return losses + problems


def files_of(folder):
    """The files of a bag in the order in which they were written.

    A compressed one does not count beside itself: then the recorder did not come to its end.
    """
    paths = [path for path in folder.glob('*') if plain_suffix(path)
             and not path.name.startswith('.')]
    paths = [path for path in paths
             if path.suffix != SUFFIX or path.with_suffix('') not in paths]
    return sorted(paths, key=lambda path: (len(path.name.removesuffix(SUFFIX)), path.name))


def plain_suffix(path):
    """The suffix of a file's storage, empty for other files."""
    suffix = Path(path.name.removesuffix(SUFFIX)).suffix
    return suffix if suffix in STORAGE_SUFFIXES else ''


def mended(path):
    """Mend a file where need be; its BagMetadata, how it is compressed, and what is lost of it.

    Raises BagError; the file is then as before.
    """
    if path.suffix != SUFFIX:
        losses = recover(path)
        return Info().read_metadata(str(path)), mode_of_messages(path), losses
    name = f'.{path.name.removesuffix(SUFFIX)}.part'
    plain, losses = path.with_name(name + plain_suffix(path)), []
    try:
        with unpacked(path, losses) as source, open(plain, 'wb') as target:
            source.seek(0)
            shutil.copyfileobj(source, target)
        losses += recover(plain, keep=False)
        part = Info().read_metadata(str(plain))
        part.files[0].path = path.name
        if losses or not is_unchanged(plain, path):
            new = compress_file(plain)
            keep_damaged(path, losses)
            new.replace(path)
    except OSError as error:
        raise BagError(f'{path}: cannot be mended, and is as before: {error}') from None
    finally:
        for one in (plain, plain.with_name(plain.name + SUFFIX)):
            one.unlink(missing_ok=True)
    return part, CompressionMode.FILE, losses


def is_unchanged(plain, path):
    """Whether a file is what a compressed one holds."""
    with unpacked(path) as source, open(plain, 'rb') as target:
        source.seek(0)
        while block := source.read(BLOCK):
            if target.read(BLOCK) != block:
                return False
        return not target.read(1)


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


def write_metadata(folder, parts):
    """Write metadata.yaml of (BagMetadata, CompressionMode) of all files."""
    modes, parts = [mode for _, mode in parts], [part for part, _ in parts]
    mode = max(modes, key=lambda mode: mode.value)
    filled = [part for part in parts if part.message_count] or parts[:1]
    start = min(part.starting_time_ns for part in filled)
    end = max(part.starting_time_ns + part.duration_ns for part in filled)
    MetadataIo().write_metadata(folder, BagMetadata(
        storage_identifier=parts[0].storage_identifier,
        relative_file_paths=[part.files[0].path for part in parts],
        files=[file for part in parts for file in part.files],
        starting_time_ns=start, duration_ns=end - start,
        message_count=sum(part.message_count for part in parts),
        compression_format='' if mode is CompressionMode.NONE else FORMATS[0],
        compression_mode='' if mode is CompressionMode.NONE else mode.name,
        topics_with_message_count=merged_topics(parts)))


def merged_topics(parts):
    """TopicInformation of all files together."""
    topics = {}
    for part in parts:
        for information in part.topics_with_message_count:
            first = topics.setdefault(information.topic_metadata.name, information)
            if first is not information:
                first.message_count += information.message_count
    return list(topics.values())
