"""A new file in place of one that was not closed, or is damaged."""
from itertools import chain, count
import os
from pathlib import Path
from zlib import crc32

from rosbag2_py.bounds import bytes_free, most, too_much
from rosbag2_py.metadata import (
    VERSION,
    BagError,
    BagMetadata,
    TopicInformation,
    metadata_to_yaml,
)
from rosbag2_py.options import ConverterOptions, StorageOptions
from rosbag2_py.reader import SequentialReader
from rosbag2_py.salvaged import SalvagedMcap, SalvagedSqlite
from rosbag2_py.sqlite_journal import SIDES, beside, remove_sides, settled

BATCH = 2 ** 20         # [byte] that are written together
KEPT = '.damaged'       # suffix of a file that was damaged, which is kept


def salvaged(path):
    """The content of a file by its storage."""
    return (SalvagedMcap if Path(path).suffix == '.mcap' else SalvagedSqlite)(path)


class Content:
    """What messages were written or read: how many of each topic, and a sum over all of them."""

    def __init__(self):
        self.counts, self.sum = {}, 0

    def add(self, topic, stamp, data):
        """Note a message."""
        self.counts[topic] = self.counts.get(topic, 0) + 1
        self.sum += crc32(data, crc32(b'%d' % stamp, crc32(topic.encode())))

    def __eq__(self, other):
        return (self.counts, self.sum) == (other.counts, other.sum)


def recover(path, keep=True):
    """Mend a file if need be; what is lost of it, in words (none: nothing but an unfinished end).

    The new file takes the place of the old one only once it was read back.  keep: the old one under
    another name, if something is lost.  Raises BagError; the file is then as before.
    """
    path = Path(path)
    try:
        with settled(path) as file:
            if is_whole(file):
                if file != path:
                    _put(file, path)
                remove_sides(path)
                return []
        return _replace(path, keep)
    except OSError as error:
        raise BagError(f'{path}: cannot be mended, and is as before: {error}') from None


def is_whole(path):
    """Whether a file has no damage, and says of itself what is in it."""
    found = salvaged(path)
    if isinstance(found, SalvagedSqlite):
        if not found.is_intact():
            return False
        try:
            content_of(path)
        except BagError:
            return False
        return True
    written = Content()
    for batch in found.messages():
        for number, stamp, data in batch:
            written.add(found.topics[number].metadata.name, stamp, data)
    if not found.is_intact():
        return False
    try:
        return content_of(path) == written
    except BagError:
        return False


def content_of(path):
    """The Content of a file, as a reader finds it.  Raises BagError."""
    reader, found = SequentialReader(), Content()
    reader.open(StorageOptions(uri=str(path)), ConverterOptions())
    try:
        stated = reader.get_metadata().message_count
        while reader.has_next():
            topic, data, stamp = reader.read_next()
            found.add(topic, stamp, data)
    finally:
        reader.close()
    if sum(found.counts.values()) != stated:
        raise BagError(f'{path}: has not the {stated} messages that it states')
    return found


def _replace(path, keep):
    new = path.with_name(f'.{path.name}.part{path.suffix}')
    new.unlink(missing_ok=True)
    found = salvaged(path)
    try:
        written = _write(found, new, path.stat().st_size)
        if not written.counts and not found.is_one:
            raise BagError(f'{path}: no file of a bag; it is left as it is')
        if content_of(new) != written:
            raise BagError(f'{path}: what was recovered cannot be read back; it is left as it is')
        losses = list(found.losses)
        if keep:
            keep_damaged(path, losses)
        _put(new, path)
    finally:
        new.unlink(missing_ok=True)
        remove_sides(new)
    remove_sides(path)
    return losses


def _put(new, path):
    """Let a new file take the place of the old one, once it is on the disk."""
    with open(new, 'rb') as handle:
        os.fsync(handle.fileno())
    os.replace(new, path)


def keep_damaged(path, losses):
    """Keep a file of which something is lost under another name, and say so in `losses`."""
    if not losses:
        return
    names = (path.with_name(f'{path.name}{KEPT}{number}') for number in chain([''], count(2)))
    kept = next(name for name in names if not name.exists())
    try:
        os.link(path, kept)
    except OSError:         # a file system without links
        os.rename(path, kept)
    for side in SIDES:
        if beside(path, side).exists():
            os.rename(beside(path, side), beside(kept, side))
    losses.append(f'the damaged file is kept as {kept.name}')


def _write(found, path, old_size):
    """Write what was salvaged of a file of a size; its Content.  Raises BagError, OSError."""
    file, written, known, size = None, Content(), set(), 0
    limit = most(old_size, bytes_free(path.parent))
    try:
        for batch in chain(_batches(found.messages()), [()]):
            size += sum(len(data) for _, _, data in batch)
            if size > limit:
                raise BagError(f'{path}: {too_much(size, old_size, limit)}')
            file = file or found.new_file(path)     # now the compression of the old one is known
            _announce(file, found, known)
            if batch:
                file.write(batch)
            for number, stamp, data in batch:
                written.add(found.topics[number].metadata.name, stamp, data)
    finally:
        if file:
            file.close(VERSION, _metadata_text(found, written.counts))
    return written


def _metadata_text(found, counts):
    """What the new file says of itself."""
    topics = [TopicInformation(topic.metadata, counts.get(topic.metadata.name, 0))
              for topic in found.topics.values()]
    return metadata_to_yaml(BagMetadata(message_count=sum(counts.values()),
                                        topics_with_message_count=topics))


def _announce(file, found, known):
    for number, topic in found.topics.items():
        if number not in known:
            known.add(number)
            file.add_topic(number, topic.metadata, topic.qos, topic.definition, topic.encoding)


def _batches(lists):
    """Yield the same messages in lists of about BATCH bytes."""
    waiting, size = [], 0
    for messages in lists:
        waiting += messages
        size += sum(len(data) for _, _, data in messages)
        if size > BATCH:
            yield waiting
            waiting, size = [], 0
    if waiting:
        yield waiting
