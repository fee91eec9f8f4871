"""Bags: what is written can be read, by us and by rosbags, and after a crash."""
import os
import signal
import subprocess
import sys
import time

from bag_files import START, STEP, STORAGES, read_bag, reindex, write_bag
import pytest
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.serialization import deserialize_message as deserialize
import rosbag2_py
from rosbag2_py.recorder import RecorderNode
from rosbag2_py.signals import StopOnSignal
from rosbag2_py.writer import BagWriter
from rosbags.rosbag2 import Reader
from sensor_msgs.msg import JointState
from std_msgs.msg import Int32


@pytest.mark.parametrize('storage', STORAGES)
def test_messages_come_back(tmp_path, storage):
    """Bytes, stamps, order, definitions and QoS."""
    path = write_bag(tmp_path / 'bag', storage)
    messages = read_bag(path)
    assert [stamp for _, _, stamp in messages] == [START + i * STEP // 2 for i in range(40)]
    assert deserialize(messages[3][1], JointState).position[0] == 0.5
    metadata = rosbag2_py.Info().read_metadata(path, storage)
    assert metadata.message_count == 40
    assert metadata.duration.nanoseconds == 39 * STEP // 2
    topic = metadata.topics_with_message_count[0].topic_metadata
    assert topic.offered_qos_profiles[0].depth == 7
    assert topic.offered_qos_profiles[0].durability == DurabilityPolicy.TRANSIENT_LOCAL


@pytest.mark.parametrize('storage', STORAGES)
def test_rosbags_reads_it(tmp_path, storage):
    """Another implementation of the format finds the same."""
    with Reader(write_bag(tmp_path / 'bag', storage)) as reader:
        assert reader.message_count == len(list(reader.messages())) == 40
        definitions = {item.msgtype: item.msgdef.data for item in reader.connections}
        assert 'MSG: std_msgs/Header' in definitions['sensor_msgs/msg/JointState']


@pytest.mark.parametrize('storage', STORAGES)
def test_reindexed_bag(tmp_path, storage):
    """Metadata can be made anew."""
    path = write_bag(tmp_path / 'bag', storage)
    before = rosbag2_py.Info().read_metadata(path, storage)
    (tmp_path / 'bag/metadata.yaml').unlink()
    assert reindex(path) == []
    after = rosbag2_py.Info().read_metadata(path, storage)
    assert len(read_bag(path)) == 40
    assert (after.message_count, after.duration_ns, after.starting_time_ns) == (
        before.message_count, before.duration_ns, before.starting_time_ns)


@pytest.mark.parametrize('share', [0.3, 0.7, 0.99])
def test_a_file_that_was_cut_has_what_was_written_before(tmp_path, share):
    """In whole chunks; what follows is reported and kept."""
    path = write_bag(tmp_path / 'bag', 'mcap', 40_000)
    file, messages = tmp_path / 'bag/bag_0.mcap', read_bag(path)
    data = file.read_bytes()[:int(share * file.stat().st_size)]
    file.write_bytes(data)
    losses = reindex(path)
    found = read_bag(path)
    assert found == messages[:len(found)]
    assert len(found) > 0.6 * share * len(messages)
    assert not losses or (tmp_path / 'bag/bag_0.mcap.damaged').read_bytes() == data
    assert reindex(path) == []


def test_a_damaged_chunk_is_left_out(tmp_path):
    """All others are there, in an indexed file; the damaged file is kept."""
    path = write_bag(tmp_path / 'bag', 'mcap', 40_000)
    file, messages = tmp_path / 'bag/bag_0.mcap', read_bag(path)
    data = bytearray(file.read_bytes())
    data[data.index(b'n20000')] ^= 1
    file.write_bytes(data)
    with pytest.raises(RuntimeError, match='damaged'):
        read_bag(path)
    assert 'is damaged and left out' in reindex(path)[0]
    found = read_bag(path)
    assert set(found) < set(messages)
    assert len(found) > 0.5 * len(messages)
    assert (tmp_path / 'bag/bag_0.mcap.damaged').read_bytes() == data


def test_filter_and_seek(tmp_path):
    """Only some topics, only from a time on."""
    path = write_bag(tmp_path / 'bag')
    assert {topic for topic, *_ in read_bag(path, exclude_topics=['/text'])} == {'/joints'}
    assert read_bag(path, topics=['/joints'], seek=START + 3 * STEP)[0][2] == START + 3.5 * STEP


def test_wrong_use_is_reported(tmp_path):
    """In the user's words."""
    writer = rosbag2_py.SequentialWriter()
    with pytest.raises(RuntimeError, match='not open'):
        writer.write('/text', b'', 0)
    with pytest.raises(RuntimeError, match='already exists'):
        writer.open(rosbag2_py.StorageOptions(uri=str(tmp_path)), rosbag2_py.ConverterOptions())
    writer.open(rosbag2_py.StorageOptions(uri=str(tmp_path / 'bag')),
                rosbag2_py.ConverterOptions())
    with pytest.raises(RuntimeError, match='create_topic'):
        writer.write('/text', b'', 0)
    with pytest.raises(RuntimeError, match='no bag that can be read'):
        rosbag2_py.SequentialReader().open_uri(str(tmp_path / 'nothing'))


@pytest.fixture
def record(tmp_path):
    """record(*arguments) -> Popen of `ros2 bag record` that has begun; killed after the test."""
    started = []

    def start(*arguments):
        command = [sys.executable, '-m', 'ros2cli.main', 'bag', 'record', '-o', tmp_path / 'bag']
        started.append(subprocess.Popen([*command, *arguments], stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, 'PYTHONUNBUFFERED': '1'}))
        for line in started[-1].stderr:
            if 'Recording...' in line:
                return started[-1]
        raise AssertionError('it does not record')

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stderr.close()


def numbers(path, topic):
    return [deserialize(data, Int32).data for _, data, _ in read_bag(path, topics=[topic])]


def test_recorder_loses_nothing(make_node, record, tmp_path):
    """The whole latched history from before the recording, and a burst, in order.

    Both topics are latched, because DDS may match a recorder later than its publisher thinks.
    """
    node = make_node('source')
    latched = node.create_publisher(Int32, 'history', QoSProfile(
        depth=1000, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    for number in range(1000):
        latched.publish(Int32(data=number))
    burst = node.create_publisher(Int32, 'burst', QoSProfile(
        depth=5000, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    recorder = record('--topics', '/history', '/burst')
    end = time.monotonic() + 20
    while not (latched.get_subscription_count() and burst.get_subscription_count()) and (
            time.monotonic() < end):
        time.sleep(0.01)
    for number in range(5000):
        burst.publish(Int32(data=number))
    for publisher in (latched, burst):
        publisher.wait_for_all_acked()
    recorder.send_signal(signal.SIGINT)
    assert recorder.wait(20) == 0
    assert numbers(str(tmp_path / 'bag'), '/history') == list(range(1000))
    assert numbers(str(tmp_path / 'bag'), '/burst') == list(range(5000))


def test_many_interrupts_leave_a_whole_bag(make_node, record, tmp_path):
    """A terminal and a launch both send one, a user sends some more."""
    node = make_node('source')
    publisher = node.create_publisher(Int32, 'latched', QoSProfile(
        depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    publisher.publish(Int32(data=7))
    recorder = record('--topics', '/latched')
    while recorder.poll() is None:
        recorder.send_signal(signal.SIGINT)
        time.sleep(0.002)
    said = recorder.stderr.read()
    assert recorder.returncode == 0, said
    assert 'Traceback' not in said
    assert (tmp_path / 'bag/metadata.yaml').exists()


def test_signals_amid_a_signal_are_no_deadlock(monkeypatch):
    """They arrive while the first one holds the lock of what others wait for."""
    stop = StopOnSignal()
    notify = stop._event._cond.notify_all

    def interrupted():
        for _ in range(3):
            signal.raise_signal(signal.SIGINT)
        notify()

    monkeypatch.setattr(stop._event._cond, 'notify_all', interrupted)
    with stop:
        signal.raise_signal(signal.SIGINT)
    assert stop.is_set()


def test_what_was_sent_before_has_the_time_of_its_reception(make_node, monkeypatch, tmp_path):
    """However long a recorder takes to subscribe: else its bag would begin before."""
    node = make_node('source')
    latched = node.create_publisher(Int32, 'latched', QoSProfile(
        depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    latched.publish(Int32(data=1))
    subscribed = []

    def discover(self, find=RecorderNode.discover):
        find(self)
        subscribed.append(time.time_ns())

    monkeypatch.setattr(RecorderNode, 'discover', discover)
    path, writer = str(tmp_path / 'bag'), BagWriter()
    writer.open(rosbag2_py.StorageOptions(uri=path, storage_id='mcap'),
                rosbag2_py.ConverterOptions())
    options = rosbag2_py.RecordOptions()
    options.topics = ['/latched']
    recorder = RecorderNode('recorder', writer, options, node.context)
    end = time.monotonic() + 20
    while not recorder.take_all() and time.monotonic() < end:
        time.sleep(0.01)
    recorder.destroy_node()
    writer.close()
    (_, _, arrival), = read_bag(path)
    assert arrival >= subscribed[0]


@pytest.mark.parametrize('storage', STORAGES)
def test_recording_survives_a_kill(make_node, record, spin_until, tmp_path, storage):
    """What was recorded up to half a second before SIGKILL can be reindexed and read."""
    node = make_node('source')
    publisher = node.create_publisher(Int32, 'ticks', 10)
    sent = []

    def tick():
        if publisher.get_subscription_count():
            sent.append(len(sent))
            publisher.publish(Int32(data=sent[-1]))
    node.create_timer(0.01, tick)
    recorder = record('-s', storage, '--topics', '/ticks')
    spin_until(lambda: len(sent) > 150, node)
    recorder.kill()
    recorder.wait()
    path = str(tmp_path / 'bag')
    reindex(path)
    got = numbers(path, '/ticks')
    assert len(got) > 50
    assert got == list(range(got[0], got[0] + len(got)))
