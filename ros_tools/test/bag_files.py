"""Bags that tests write and read."""
from functools import cache

from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.serialization import serialize_message as serialize
import rosbag2_py
from sensor_msgs.msg import JointState
from std_msgs.msg import String

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
