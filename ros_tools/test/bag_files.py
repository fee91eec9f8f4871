"""Bags that tests write and read."""
from functools import cache
from pathlib import Path
import subprocess
import sys

from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.serialization import serialize_message as serialize
import rosbag2_py
from rosbags.rosbag2 import storage_mcap as mcap
from sensor_msgs.msg import JointState
from std_msgs.msg import String
import yaml

START = 1_000_000_000
STEP = 100_000_000
STORAGES = ['sqlite3', 'mcap']


@cache
def messages(i):
    """A serialized text and joints; two serializations may differ in what fills gaps."""
    return (serialize(String(data=f'n{i}')),
            serialize(JointState(name=['a'], position=[i / 2])))


def write_bag(path, storage='sqlite3', count=20, writer=None, **options):
    """A bag with /text and /joints, alternating, STEP / 2 apart."""
    writer = writer or rosbag2_py.SequentialWriter()
    writer.open(rosbag2_py.StorageOptions(uri=str(path), storage_id=storage, **options),
                rosbag2_py.ConverterOptions('cdr', 'cdr'))
    profile = QoSProfile(depth=7, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    writer.create_topic(rosbag2_py.TopicMetadata(
        0, '/text', 'std_msgs/msg/String', 'cdr', [profile]))
    writer.create_topic(rosbag2_py.TopicMetadata(
        1, '/joints', 'sensor_msgs/msg/JointState', 'cdr'))
    for i in range(count):
        text, joints = messages(i)
        writer.write('/text', text, START + i * STEP)
        writer.write('/joints', joints, START + i * STEP + STEP // 2)
    del writer      # a compressed bag is complete then; close() is a SequentialWriter's alone
    return str(path)


def read_bag(path, *, seek=None, **choice):
    """All (topic, data, stamp) of a bag."""
    reader = rosbag2_py.SequentialReader()
    reader.open_uri(str(path))
    reader.set_filter(rosbag2_py.StorageFilter(**choice))
    if seek is not None:
        reader.seek(seek)
    found = []
    while reader.has_next():
        found.append(reader.read_next())
    reader.close()
    return found


def reindex(path):
    """Mend a bag; what is lost of it, in words."""
    return rosbag2_py.Reindexer().reindex(rosbag2_py.StorageOptions(uri=str(path)))


def bag(folder, storage='sqlite3', mode='none', count=6):
    """A bag with as many messages on each of two topics, compressed in this way; its folder."""
    writer = None
    if mode != 'none':
        writer = rosbag2_py.SequentialCompressionWriter(rosbag2_py.CompressionOptions(
            'zstd', rosbag2_py.compression_mode_from_string(mode)))
    return Path(write_bag(folder / 'bag', storage, count, writer))


def expected(count=6):
    """All (topic, data, stamp) of such a bag."""
    return [(topic, data, START + i * STEP + half * STEP // 2) for i in range(count)
            for half, (topic, data) in enumerate(zip(('/text', '/joints'), messages(i),
                                                     strict=True))]


def edit(folder, change):
    """Change the content of metadata.yaml: change(its entries)."""
    path = folder / 'metadata.yaml'
    document = yaml.safe_load(path.read_text())
    change(document['rosbag2_bagfile_information'])
    path.write_text(yaml.safe_dump(document))
    return folder


def ros2_bag(*arguments):
    """Exit code, output and errors of `ros2 bag`."""
    done = subprocess.run([sys.executable, '-m', 'ros2cli.main', 'bag', *map(str, arguments)],
                          text=True, capture_output=True, timeout=60)
    assert 'Traceback' not in done.stderr
    return done.returncode, done.stdout, done.stderr


def convert(folder, target, storage):
    """Convert a bag; exit code and errors."""
    options = target.parent / 'options.yaml'
    options.write_text(f'output_bags: [{{uri: {target}, storage_id: {storage}, all: true}}]')
    code, _, said = ros2_bag('convert', '-i', folder, '-o', options)
    return code, said


def unchunked(path, order):
    """Write an mcap file without chunks and index, with the k-th texts in this order; its path."""
    with open(path, 'wb') as file:
        file.write(b'\x89MCAP0\r\n')
        for kind, texts in (1, ['ros2', 'test']), (12, ['rosbag2']):
            record = mcap.BytesIO()
            for text in texts:
                mcap.write_string(record, text)
            if kind == 12:
                entry = mcap.BytesIO()
                mcap.write_string(entry, 'ROS_DISTRO')
                mcap.write_string(entry, 'iron')
                mcap.write_uint32(record, entry.tell())
                record.write(entry.getvalue())
            mcap.write_record(file, kind, record)
        schema = mcap.Schema(1, 'std_msgs/msg/String', 'ros2msg', 'string data\n')
        mcap.write_schema(file, schema)
        mcap.write_channel(file, mcap.Channel(1, schema.name, '/text', 'cdr', b''), [schema])
        for k in order:
            record = mcap.BytesIO()
            mcap.write_uint16(record, 1)
            mcap.write_uint32(record, 0)
            for _ in range(2):
                mcap.write_uint64(record, START + k * STEP)
            record.write(messages(k)[0])
            mcap.write_record(file, 5, record)
        end = mcap.BytesIO()
        mcap.write_uint32(end, 0)
        mcap.write_record(file, 15, end)
        footer = mcap.BytesIO(bytes(20))
        footer.seek(0, 2)
        mcap.write_record(file, 2, footer)
        file.write(b'\x89MCAP0\r\n')
    return path
