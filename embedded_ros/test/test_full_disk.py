"""A bag on a disk that is full for a while, or to the end."""
from pathlib import Path
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from bag_files import STORAGES, read_bag
from hypothesis import HealthCheck, given, settings, strategies as st
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
    rosbag2_py.Reindexer().reindex(rosbag2_py.StorageOptions(uri=str(tmp_path / 'bag')))
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


@pytest.mark.slow
@pytest.mark.fuzz
@pytest.mark.parametrize('storage', STORAGES)
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(end=st.integers(40_000, 400_000), size=st.integers(0, 20_000), late=st.integers(0, 200))
def test_wherever_the_disk_ends_all_that_was_written_can_be_read(storage, disk, end, size, late):
    """An sqlite3 file as it is, an mcap file that has no room for its index once it is mended."""
    folder = Path(tempfile.mkdtemp(prefix='bag_'))
    try:
        writer, count = new_writer(folder / 'bag', storage), 0
        disk(end)
        while not writer.problem and count < 2000:
            writer.write('/text', DATA[:4] + bytes(size), count)
            count += 1
        for _ in range(late):
            writer.write('/text', DATA[:4] + bytes(size), count)
            count += 1
        writer.close()
        disk(None)
        if writer.problem:
            assert storage == 'mcap'
            rosbag2_py.Reindexer().reindex(rosbag2_py.StorageOptions(str(folder / 'bag')))
        assert [stamp for _, _, stamp in read_bag(folder / 'bag')] == list(
            range(count - writer.lost))
    finally:
        disk(None)
        shutil.rmtree(folder)


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


KILLED = """
import os, sys
import rosbag2_py
from rosbag2_py import writer as writing
writing.FLUSH_PERIOD, writing.RETRY_PERIOD = 0.01, 0.0
writer = writing.BagWriter()
writer.open(rosbag2_py.StorageOptions(sys.argv[1], sys.argv[2]))
writer.create_topic(rosbag2_py.TopicMetadata(0, '/text', 'std_msgs/msg/String', 'cdr'))
for count in range(10 ** 6):
    writer.write('/text', bytes([1, 1, 0, 0]) + bytes(3000), count)
    if not writer.problem and count % 20 == 0:
        os.write(1, b'%d\\n' % count)
"""


@pytest.mark.parametrize('storage', STORAGES)
def test_a_kill_while_the_disk_is_full(small_disk, storage, tmp_path):
    """Everything that was written completely before is there after `reindex`, once there is room.

    The bag is moved to a larger disk, as one would.
    """
    process = subprocess.Popen([sys.executable, '-c', KILLED, str(small_disk / 'bag'), storage],
                               stdout=subprocess.PIPE, text=True)
    last = 0
    for line in process.stdout:
        last = int(line)
        if last > 2000:
            break
    time.sleep(0.5)         # anywhere, with or without room
    process.kill()
    process.wait()
    last = max([last, *map(int, process.stdout.read().split())])
    process.stdout.close()
    shutil.copytree(small_disk / 'bag', tmp_path / 'moved')
    rosbag2_py.Reindexer().reindex(rosbag2_py.StorageOptions(str(tmp_path / 'moved')))
    stamps = [stamp for _, _, stamp in read_bag(tmp_path / 'moved')]
    assert stamps == list(range(len(stamps)))
    assert len(stamps) >= last - 2 ** 20 // 3000 - 20       # which waited in memory
