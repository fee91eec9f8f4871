"""Damaged bags: all that can be read is recovered, and nothing is lost by trying."""
from collections import Counter
from pathlib import Path
import shutil
import tempfile

from bag_files import START, STORAGES, read_bag
from damage import apply, damages, is_reached, touched
from embedded_ros.interfaces import serialize
from hypothesis import given, settings, strategies as st
import pytest
import rosbag2_py
from rosbag2_py.mcap_records import (
    CHUNK,
    MAGIC,
    MESSAGE,
    chunk_content,
    chunk_records,
    parse_chunk,
    record_at,
)
from rosbag2_py.metadata import BagError
from std_msgs.msg import Int32, String

SUFFIXES = {'sqlite3': '.db3', 'mcap': '.mcap'}
COUNT = 60
PAGE, ROW = 4096, 30        # [byte] of a page, and at least of a row with its place on it

pytestmark = pytest.mark.fuzz


def written(folder, storage, **options):
    """The bytes and the messages of a file in many parts, some of them on overflow pages."""
    (folder / 'small.yaml').write_text('{chunkSize: 400}')
    if storage == 'mcap':
        options.setdefault('storage_config_uri', str(folder / 'small.yaml'))
    writer = rosbag2_py.SequentialWriter()
    writer.open(rosbag2_py.StorageOptions(str(folder / 'bag'), storage, **options),
                rosbag2_py.ConverterOptions())
    for topic, kind in ('/text', 'String'), ('/number', 'Int32'):
        writer.create_topic(rosbag2_py.TopicMetadata(0, topic, f'std_msgs/msg/{kind}', 'cdr'))
    for k in range(COUNT):
        size = 6000 if k % 20 == 7 else 20 * (k % 10)
        writer.write('/text', serialize(String(data=f'{k:03d}' + 'x' * size)), START + 2 * k)
        writer.write('/number', serialize(Int32(data=k)), START + 2 * k + 1)
    writer.close()
    file = folder / f'bag/bag_0{SUFFIXES[storage]}'
    return file.read_bytes(), read_bag(file.parent)


class Whole:
    """A file as it was written, and what is in it."""

    def __init__(self, storage, content, messages):
        self.storage, self.content, self.messages = storage, content, messages


@pytest.fixture(scope='module', params=STORAGES)
def whole(request, tmp_path_factory):
    """A Whole file of either storage."""
    return Whole(request.param, *written(tmp_path_factory.mktemp('whole'), request.param))


class Folder:
    """A bag's folder with one file; gone in the end."""

    def __init__(self, name, data):
        self._name, self._data = name, data

    def __enter__(self):
        self.path = Path(tempfile.mkdtemp(prefix='bag_'))
        self.file = self.path / self._name
        self.file.write_bytes(self._data)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)

    def reindex(self):
        """Words about losses, or None if nothing could be read; then nothing has changed."""
        try:
            return rosbag2_py.Reindexer().reindex(rosbag2_py.StorageOptions(uri=str(self.path)))
        except BagError:
            assert self.file.read_bytes() == self._data
            assert list(self.path.iterdir()) == [self.file]
            return None


def surviving(storage, data, messages, ranges):
    """How many messages at least no damages of ranges of a file can have reached."""
    if storage == 'sqlite3':
        pages = sum(is_reached(PAGE * k, PAGE * (k + 1), ranges)
                    for k in range(len(data) // PAGE))
        topics = any(first < 5 * PAGE for first, _ in ranges)       # and the header, the schema
        return 0 if topics else len(messages) - pages * PAGE // ROW
    at, count = len(MAGIC), 0
    while at < len(data) - len(MAGIC):
        code, begin, end = record_at(data, at, len(data))
        if code == CHUNK and not is_reached(at, end, ranges):
            content = chunk_content(data, parse_chunk(data, begin, end))
            count += sum(kind == MESSAGE for kind, _, _ in chunk_records(content))
        at = end
    return count


@settings(deadline=None)
@given(st.data())
def test_what_no_damage_has_reached_is_recovered(whole, data):
    """The bag can be read then, and what is in it was in it before."""
    storage, content, messages = whole.storage, whole.content, whole.messages
    happened = data.draw(damages(('flip', 'cut', 'write')))
    least = surviving(storage, content, messages, touched(len(content), happened))
    with Folder(f'bag_0{SUFFIXES[storage]}', apply(content, happened)) as folder:
        losses = folder.reindex()
        if losses is None:
            assert least <= 0
            return
        found = read_bag(folder.path)
        assert len(found) >= least
        strangers = sum((Counter(found) - Counter(messages)).values())
        # Without a checksum, as in sqlite3, a wrong number is a number.
        assert strangers <= sum(60 if storage == 'sqlite3' else kind != 'cut'
                                for kind, *_ in happened)
        assert folder.reindex() == []
        assert read_bag(folder.path) == found


@settings(deadline=None)
@given(st.data())
def test_nothing_is_invented_where_bytes_are_missing_or_strange(whole, data):
    """Whatever moves: nothing but what was there is found, or the file stays as it is."""
    storage, messages = whole.storage, Counter(whole.messages)
    happened = data.draw(damages())
    with Folder(f'bag_0{SUFFIXES[storage]}', apply(whole.content, happened)) as folder:
        if folder.reindex() is not None and storage == 'mcap':
            assert sum((Counter(read_bag(folder.path)) - messages).values()) <= len(happened)


def test_a_file_that_has_hardly_begun_stays_or_is_empty(whole):
    """Cut behind any of its first bytes."""
    for size in range(0, 130, 3):
        with Folder(f'bag_0{SUFFIXES[whole.storage]}', whole.content[:size]) as folder:
            assert folder.reindex() is None or read_bag(folder.path) == []


@settings(deadline=None)
@given(st.sampled_from(sorted(SUFFIXES.values())), st.binary(max_size=3000) | st.text().map(
    str.encode), st.sampled_from([b'', MAGIC, b'SQLite format 3\0']))
def test_a_file_that_is_no_bag_stays_as_it_is(suffix, content, head):
    """Whatever it is called."""
    with Folder(f'notes{suffix}', head + content) as folder:
        if folder.reindex() is None:
            return
        assert head, 'something was made of nothing'
        assert read_bag(folder.path) == []
