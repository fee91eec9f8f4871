"""Recovering a bag: transactions that were cut short, what is kept of a damaged file, bounds."""
from contextlib import closing
from pathlib import Path
import shutil
import sqlite3
import tempfile

from bag_files import START, STORAGES, read_bag, write_bag
from damage import apply, damages
from embedded_ros.interfaces import serialize
from hypothesis import example, given, settings, strategies as st
import pytest
import rosbag2_py
from rosbag2_py import bounds, sqlite_salvage
from rosbag2_py.mcap_records import CHUNK, MAGIC, parse_chunk, record_at
from rosbag2_py.metadata import BagError
from std_msgs.msg import String

PAGE = 4096


def reindex(folder):
    """Recover a bag; what is lost of it."""
    return rosbag2_py.Reindexer().reindex(rosbag2_py.StorageOptions(uri=str(folder)))


class Commit:
    """An sqlite3 file before and after a transaction, its journal, and its messages before."""

    def __init__(self, folder):
        path = Path(write_bag(folder / 'bag', count=300)) / 'bag_0.db3'
        self.messages = read_bag(path.parent)
        self.before = path.read_bytes()
        with closing(sqlite3.connect(path)) as database:
            database.executescript('PRAGMA journal_mode=PERSIST; PRAGMA cache_spill=OFF; '
                                   'PRAGMA synchronous=OFF;')
            data = serialize(String(data='new' * 50))
            database.executemany(
                'INSERT INTO messages(topic_id, timestamp, data) VALUES(1, ?, ?)',
                [(START + k, data) for k in range(0, 10 ** 9, 10 ** 6)])
            self.journal = Path(f'{path}-journal').read_bytes()
            database.commit()
        self.after = path.read_bytes()

    def torn(self, share):
        """The file as a crash leaves it that lets only a share of the pages be written."""
        end = int(share * len(self.after)) // PAGE * PAGE
        return self.after[:end] + self.before[end:]


@pytest.fixture(scope='module')
def commit(tmp_path_factory):
    """A Commit."""
    return Commit(tmp_path_factory.mktemp('commit'))


@pytest.mark.fuzz
@settings(deadline=None)
@given(share=st.floats(0.0, 1.0), happened=st.just([]) | damages())
@example(share=0.0, happened=[('write', 0.5625, 1, b'\x80')])     # an error that is no UTF-8
def test_a_transaction_that_was_cut_short_is_taken_back(commit, share, happened):
    """Also by a damaged journal no message is lost that was written before it.

    SQLite's checksum of a page in a journal sees each two-hundredth byte: a wrong bit may pass.
    """
    folder = Path(tempfile.mkdtemp(prefix='bag_'))
    try:
        (folder / 'bag_0.db3').write_bytes(commit.torn(share))
        (folder / 'bag_0.db3-journal').write_bytes(apply(commit.journal, happened))
        losses, found = reindex(folder), read_bag(folder)
        if not happened:
            assert (losses, found) == ([], commit.messages)
        for topic, data, stamp in set(commit.messages) - set(found):
            assert happened
            assert any(one[0] == topic and (one[1] == data or one[2] == stamp) for one in found)
        names = {path.name for path in folder.iterdir()} - {'bag_0.db3', 'metadata.yaml'}
        assert not names or losses
        assert not names or (folder / 'bag_0.db3.damaged').read_bytes() == commit.torn(share)
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize('storage', STORAGES)
def test_each_damaged_file_is_kept(tmp_path, storage):
    """A file that is damaged again does not take the place of the one kept before."""
    folder, kept = Path(write_bag(tmp_path / 'bag', storage, 2000)), []
    file, = folder.glob('bag_0*')
    for _ in range(3):
        data = bytearray(file.read_bytes())
        data[len(data) // 2:len(data) // 2 + 9000] = b'\xaa' * 9000
        file.write_bytes(data)
        kept.append(bytes(data))
        losses = reindex(folder)
        assert 'kept as' in losses[-1]
    names = [f'{file.name}.damaged{number}' for number in ('', 2, 3)]
    assert [(folder / name).read_bytes() for name in names] == kept
    assert reindex(folder) == []


@pytest.mark.parametrize('tail', [b'my notes ' * 1000, bytes(5000)])
def test_strange_bytes_at_the_end_are_no_unfinished_record(tmp_path, tail):
    """They are said to be damaged, and are kept."""
    folder = Path(write_bag(tmp_path / 'bag', 'mcap'))
    file, messages = folder / 'bag_0.mcap', read_bag(folder)
    for content in (file.read_bytes()[:-200] + tail, MAGIC + tail):
        file.write_bytes(content)
        losses = reindex(folder)
        assert losses
        assert [path.read_bytes() for path in folder.glob('*.damaged*')].count(content) == 1
        assert read_bag(folder) == messages
        messages = []


@given(share=st.floats(0.05, 1.0))
@settings(deadline=None)
def test_an_end_that_was_never_written_is_no_loss(tmp_path_factory, share):
    """Wherever a file with whole chunks ends, nothing is to be kept."""
    folder = Path(write_bag(tmp_path_factory.mktemp('cut') / 'bag', 'mcap'))
    file = folder / 'bag_0.mcap'
    data = file.read_bytes()
    file.write_bytes(data[:max(100, int(share * len(data)))])
    assert reindex(folder) == []
    assert {path.name for path in folder.iterdir()} == {file.name, 'metadata.yaml'}


def compressed(folder, compression, count, size):
    """The path of an mcap file with compressed chunks of a message each, without its end."""
    (folder / 'options.yaml').write_text(f'{{compression: {compression}, chunkSize: 1}}')
    writer = rosbag2_py.SequentialWriter()
    writer.open(rosbag2_py.StorageOptions(
        str(folder / 'bag'), 'mcap', storage_config_uri=str(folder / 'options.yaml')),
        rosbag2_py.ConverterOptions())
    writer.create_topic(rosbag2_py.TopicMetadata(0, '/text', 'std_msgs/msg/String', 'cdr'))
    for k in range(count):
        writer.write('/text', serialize(String(data=' ' * size)), k)
    writer.close()
    file = folder / 'bag/bag_0.mcap'
    file.write_bytes(file.read_bytes()[:-20])
    return file


@pytest.mark.parametrize('compression', ['Lz4', 'Zstd'])
def test_chunks_stay_compressed(tmp_path, compression):
    """As in the old file."""
    file = compressed(tmp_path, compression, 5, 3000)
    assert reindex(file.parent) == []
    assert len(read_bag(file.parent)) == 5
    data, at, found = file.read_bytes(), len(MAGIC), set()
    while at < len(data) - len(MAGIC):
        code, begin, at = record_at(data, at, len(data))
        if code == CHUNK:
            found.add(parse_chunk(data, begin, at).compression)
    assert found == {compression.lower()}


def test_many_small_chunks_do_not_become_too_much(tmp_path, monkeypatch):
    """All chunks together have a bound, for they are written to the disk."""
    file = compressed(tmp_path, 'Zstd', 50, 60_000)
    content = file.read_bytes()
    monkeypatch.setattr(bounds, 'SMALL', 2 ** 17)
    monkeypatch.setattr(bounds, 'FACTOR', 10)
    with pytest.raises(BagError, match='would become'):
        reindex(file.parent)
    assert file.read_bytes() == content


def test_pages_that_are_named_again_and_again_have_a_bound(tmp_path):
    """A file of 400 kB would otherwise give many of these for each of its cells."""
    size, pages, cells = 512, 800, 100
    row = sqlite_salvage.MAGIC + size.to_bytes(2, 'big')
    leaf = bytearray(size)
    leaf[0], leaf[3:5] = 13, cells.to_bytes(2, 'big')
    place = 8 + 2 * cells
    leaf[8:place] = place.to_bytes(2, 'big') * cells
    length = (pages - 20) * (size - 4)
    leaf[place:place + 3] = (0x80 | length >> 14, 0x80 | length >> 7 & 127, length & 127)
    (tmp_path / 'bag.db3').write_bytes(row.ljust(size, b'\0') + leaf + b''.join(
        (k % pages + 1).to_bytes(4, 'big') + bytes(size - 4) for k in range(2, pages)))
    read = []
    salvage = sqlite_salvage.SqliteSalvage(tmp_path / 'bag.db3')
    payload = salvage._payload
    salvage._payload = lambda *place: read.append(len(payload(*place))) or b''
    list(salvage.rows())
    assert sum(read) <= sqlite_salvage.MOST_READ * size * pages
