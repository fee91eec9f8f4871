"""A bag on a disk that is full for a while, or to the end."""
import resource
import signal
import subprocess

from bag_files import STORAGES, read_bag, reindex
import pytest
import rosbag2_py
from rosbag2_py import writer as writing

DATA = bytes([1, 1, 0, 0]) + bytes(5000)


@pytest.fixture
def disk(monkeypatch):
    """disk(size): files may become so long from now on; as long as they like with None."""
    monkeypatch.setattr(writing, 'FLUSH_PERIOD', 0.0)       # so that every message is written
    monkeypatch.setattr(writing, 'RETRY_PERIOD', 0.0)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def limit(size):
        resource.setrlimit(resource.RLIMIT_FSIZE, before if size is None else (size, before[1]))

    yield limit
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def new_writer(path, storage):
    """A writer of a bag with one topic."""
    writer = writing.BagWriter()
    writer.open(rosbag2_py.StorageOptions(uri=str(path), storage_id=storage))
    writer.create_topic(rosbag2_py.TopicMetadata(0, '/text', 'std_msgs/msg/String', 'cdr'))
    return writer


def filled(path, storage, disk, end):
    """(writer, number of messages) of a bag that grew until `end` bytes were too many."""
    writer = new_writer(path, storage)
    disk(end)
    count = 0
    while not writer.problem and count < 1000:
        writer.write('/text', DATA, count)
        count += 1
    assert 10 < count < 1000
    for _ in range(20):
        writer.write('/text', DATA, count)
        count += 1
    return writer, count


@pytest.mark.parametrize('storage', STORAGES)
def test_nothing_is_lost_if_there_is_room_again(tmp_path, storage, disk):
    """What could not be written waits."""
    writer, count = filled(tmp_path / 'bag', storage, disk, 200_000)
    disk(None)
    writer.write('/text', DATA, count)
    assert (writer.problem, writer.lost) == ('', 0)
    writer.close()
    messages = read_bag(tmp_path / 'bag')
    assert [stamp for _, _, stamp in messages] == list(range(count + 1))
    assert rosbag2_py.Info().read_metadata(str(tmp_path / 'bag')).message_count == count + 1


@pytest.mark.parametrize('storage', STORAGES)
def test_what_was_written_before_can_be_read(tmp_path, storage, disk):
    """What is lost is counted."""
    writer, count = filled(tmp_path / 'bag', storage, disk, 200_000)
    writer.close()
    disk(None)
    assert writer.lost > 20
    reindex(tmp_path / 'bag')
    messages = read_bag(tmp_path / 'bag')
    assert [stamp for _, _, stamp in messages] == list(range(count - writer.lost))


def test_memory_has_a_bound(tmp_path, disk, monkeypatch):
    """What is beyond it is left out and counted."""
    monkeypatch.setattr(writing, 'MOST_WAITING', 10 * len(DATA))
    writer, count = filled(tmp_path / 'bag', 'mcap', disk, 100_000)
    assert writer.lost > 5
    disk(None)
    writer.close()
    assert len(read_bag(tmp_path / 'bag')) == count - writer.lost


@pytest.fixture
def small_disk(tmp_path, monkeypatch):
    """A disk of 12 MiB, where one may be mounted."""
    monkeypatch.setattr(writing, 'RETRY_PERIOD', 0.05)
    place = tmp_path / 'disk'
    place.mkdir()
    mounted = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', place],
                             capture_output=True)
    if mounted.returncode:
        pytest.skip('nothing can be mounted here')
    yield place
    subprocess.run(['umount', '-l', place], check=True)


@pytest.mark.parametrize('size', [100, 5000, 700_000])
@pytest.mark.parametrize('storage', STORAGES)
def test_a_disk_that_stays_full_leaves_a_bag_that_can_be_read(small_disk, storage, size):
    """As it is: nothing is to be mended, however much still waited."""
    writer, count = new_writer(small_disk / 'bag', storage), 0
    while not writer.problem:
        for _ in range(max(1, 100_000 // size)):
            writer.write('/text', DATA[:4] + bytes(size), count)
            count += 1
    for _ in range(10_000_000 // size):
        writer.write('/text', DATA[:4] + bytes(size), count)
        count += 1
    assert count * size > 1.5e7
    writer.close()
    assert (writer.problem, writer.lost > 0) == ('', True)
    assert sorted(path.suffix for path in (small_disk / 'bag').iterdir()) == sorted(
        ['.yaml', {'mcap': '.mcap', 'sqlite3': '.db3'}[storage]])
    messages = read_bag(small_disk / 'bag')
    assert [stamp for _, _, stamp in messages] == list(range(count - writer.lost))
    assert len(messages) * size > 7e6
    assert rosbag2_py.Info().read_metadata(str(small_disk / 'bag')).message_count == len(messages)
