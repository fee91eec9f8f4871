"""New metadata for a bag that lost its own, and an index for files that were not closed."""
from contextlib import closing, suppress
from itertools import chain, count
import os
from pathlib import Path
import sqlite3

from rclpy.logging import get_logger
from rosbags.rosbag2.storage_mcap import McapReader, decompress
import yaml

from rosbag2_py.compression import FORMATS, SUFFIX, CompressionMode
from rosbag2_py.metadata import (
    FILE_NAME,
    ROOT_KEY,
    VERSION,
    BagError,
    BagMetadata,
    MetadataIo,
    TopicInformation,
    metadata_to_yaml,
    topic_from_dict,
)
from rosbag2_py.parts import part_of
from rosbag2_py.reader import Info, SequentialReader
from rosbag2_py.reserve import NAME as RESERVE
from rosbag2_py.storages import McapFile
from rosbag2_py.stored_facts import (
    HEAD,
    MAGIC,
    UNKNOWN,
    StoredFacts,
    common_facts,
    facts_of,
    stored_facts,
    texts_by_name,
)

FRAME = b'\x28\xb5\x2f\xfd'     # begins what zstd compressed; no serialized message begins so
FOOTER, CHUNK, MESSAGE_INDEX, DATA_END = 2, 6, 7, 15
NO_SUMMARY = (bytes([DATA_END]) + (4).to_bytes(8, 'little') + bytes(4)
              + bytes([FOOTER]) + (20).to_bytes(8, 'little') + bytes(20) + MAGIC)


class Reindexer:
    """Writes metadata.yaml from what the files of a bag contain."""

    def reindex(self, storage_options):
        """Mend files that were not closed, read all, write the metadata; what was lost, in words.

        Raises BagError if none of the files can be read.
        """
        folder = Path(storage_options.uri)
        paths = sorted((path for path in folder.glob('*') if not path.name.startswith('.')
                        and path.suffix in ('.db3', '.mcap')),
                       key=lambda path: (len(path.name), path.name))
        if not paths:
            raise BagError(f'{folder}: no files of a bag there (compressed ones, *{SUFFIX}, must '
                           'be decompressed first)')
        (folder / RESERVE).unlink(missing_ok=True)
        before = facts_before(folder)
        parts, losses, problems = [], [], []
        for path in paths:
            try:
                losses += mend(path)
                parts.append((Info().read_metadata(str(path)), mode_of_messages(path)))
            except OSError as error:
                problems.append(f'{path}: cannot be mended: {error}')
            except BagError as error:
                problems.append(str(error))
        if not parts:
            raise BagError('; '.join(problems))
        for words in [*losses, *problems]:
            get_logger('rosbag2_reindexer').warning(words)
        try:
            write_metadata(folder, parts, before)
        except OSError as error:
            raise BagError(f'{folder}: no metadata can be written: {error}') from None
        return losses + problems


def facts_before(folder):
    """StoredFacts of the metadata.yaml that is there, as far as it can be read."""
    try:
        with open(folder / FILE_NAME, encoding='utf-8') as file:
            return facts_of(yaml.safe_load(file)[ROOT_KEY])
    except Exception:       # of files, YAML, texts: there is no end of kinds
        return StoredFacts()


def mend(path):
    """Let a file be one that can be read to its end; what is lost, in words.

    Raises BagError, OSError; the file is then as before.
    """
    if path.suffix == '.db3':
        settle(path)
        return []
    if is_whole(path):
        return []
    with part_of(path) as new:
        scanned = new.with_name('scanned')
        losses = copy_whole_records(path, scanned)
        rewrite(scanned, new, stored_facts(path))
        if losses:
            losses.append(f'the damaged file is kept as {keep(path).name}')
    return losses


def settle(path):
    """Take back a transaction that a crash cut short.  Raises BagError for a damaged file."""
    try:
        with closing(sqlite3.connect(path)) as database:
            database.execute('PRAGMA journal_mode=DELETE').fetchall()
            (answer,), = database.execute('PRAGMA integrity_check(1)').fetchall()
    except (sqlite3.Error, ValueError) as error:
        answer = str(error)
    if answer != 'ok':
        raise BagError(f'{path}: damaged, and left as it is: {" ".join(answer.split())}')


def is_whole(path):
    """Whether all messages that a file states can be read."""
    reader, found = SequentialReader(), 0
    try:
        reader.open_uri(str(path))
        with closing(reader):
            while reader.has_next():
                reader.read_next()
                found += 1
            return found == reader.get_metadata().message_count
    except BagError:
        return False


def copy_whole_records(path, target):
    """Copy an mcap file without what is damaged or incomplete; that in words.  Raises BagError.

    Source: MCAP format specification, sections Records, Chunk.
    """
    losses, lost_chunk = [], False
    with open(path, 'rb') as source, open(target, 'wb') as copy:
        size = source.seek(0, 2)
        source.seek(0)
        if source.read(len(MAGIC)) != MAGIC:
            raise BagError(f'{path}: no file of a bag; it is left as it is')
        copy.write(MAGIC)
        while (at := source.tell()) < size:
            head = source.read(HEAD)
            length = int.from_bytes(head[1:], 'little')
            if len(head) < HEAD or head[0] > DATA_END or at + HEAD + length > size:
                losses.append(f'{path.name}: its last {size - at} bytes are incomplete or damaged')
                break
            if head[0] in (FOOTER, DATA_END):
                break
            record = source.read(length)
            if head[0] == CHUNK:
                lost_chunk = not is_sound(record)
                if lost_chunk:
                    losses.append(f'{path.name}: the chunk at byte {at} is damaged and left out')
            elif head[0] == MESSAGE_INDEX and lost_chunk:
                continue
            if not (head[0] == CHUNK and lost_chunk):
                copy.write(head + record)
        copy.write(NO_SUMMARY)
    return losses


def is_sound(chunk):
    """Whether the content of a chunk's record has its size and its checksum."""
    try:
        size, crc = (int.from_bytes(chunk[a:b], 'little') for a, b in ((16, 24), (24, 28)))
        end = 32 + int.from_bytes(chunk[28:32], 'little')
        decompress(chunk[end + 8:], chunk[32:end].decode(), size, crc)
    except Exception:       # of rosbags and decompressors: there is no end of kinds
        return False
    return True


def rewrite(scanned, new, facts):
    """Write a file with an index, and StoredFacts in it.  Raises BagError, OSError."""
    reader = McapReader(scanned)
    try:
        reader.open()
    except Exception as error:      # as above
        raise BagError(f'{scanned}: {" ".join(str(error).split())}') from None
    with closing(reader):
        file, counts = McapFile(new), dict.fromkeys(
            (connection.topic for connection in reader.connections), 0)
        try:
            for connection in reader.connections:
                channel = reader.channels[connection.id]
                file.add_topic(connection, texts_by_name(channel.metadata).get(
                    'offered_qos_profiles', ''))
            waiting, size = [], 0
            for connection, stamp, data in chain(reader.messages_scan(reader.connections)):
                waiting.append((connection, stamp, data))
                counts[connection.topic] += 1
                size += len(data)
                if size > file.chunk_size:
                    file.write_all(waiting)
                    waiting, size = [], 0
            file.write_all(waiting)
        finally:
            topics = [TopicInformation(topic_from_dict(number, {
                'name': connection.topic, 'type': connection.msgtype,
                'serialization_format': connection.ext.serialization_format}),
                counts[connection.topic]) for number, connection in enumerate(reader.connections)]
            file.close(VERSION, metadata_to_yaml(BagMetadata(
                message_count=sum(counts.values()), topics_with_message_count=topics,
                custom_data=facts.custom_data, ros_distro=facts.ros_distro)))


def keep(path):
    """Keep a damaged file under another name; its new path."""
    names = (path.with_name(f'{path.name}.damaged{number}') for number in chain([''], count(2)))
    kept = next(name for name in names if not name.exists())
    with suppress(OSError):     # a file system without links
        os.link(path, kept)
        return kept
    os.rename(path, kept)
    return kept


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


def write_metadata(folder, parts, before):
    """Write metadata.yaml of (BagMetadata, CompressionMode) of all files.

    before: StoredFacts that count more than what files say.
    """
    modes, parts = [mode for _, mode in parts], [part for part, _ in parts]
    mode = max(modes, key=lambda mode: mode.value)
    filled = [part for part in parts if part.message_count] or parts[:1]
    facts = common_facts([StoredFacts(part.ros_distro, part.custom_data) for part in parts])
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
        topics_with_message_count=merged_topics(parts),
        custom_data=facts.custom_data | before.custom_data,
        ros_distro=facts.ros_distro if before.ros_distro == UNKNOWN else before.ros_distro))


def merged_topics(parts):
    """TopicInformation of all files together."""
    topics = {}
    for part in parts:
        for information in part.topics_with_message_count:
            first = topics.setdefault(information.topic_metadata.name, information)
            if first is not information:
                first.message_count += information.message_count
    return list(topics.values())
