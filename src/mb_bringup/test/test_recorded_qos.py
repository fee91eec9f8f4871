"""What the recorder of a launch asks for: it matches streams of ours and drivers of other makes."""

import signal
import subprocess
import time

import pytest
import rclpy
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState

from mb_bringup.onlookers import recorder
from mb_ros.qos import STREAM_QOS
from mb_sensors import open_bag

OFFERS = {
    '/ours': STREAM_QOS,
    '/volatile': QoSProfile(depth=10, durability=DurabilityPolicy.VOLATILE),
    '/best_effort': QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)}
BEFORE, PATIENCE = 20, 60.0


@pytest.fixture
def publishers():
    rclpy.init()
    node = rclpy.create_node('drivers')
    yield {topic: node.create_publisher(JointState, topic, qos) for topic, qos in OFFERS.items()}
    node.destroy_node()
    rclpy.shutdown()


def test_readings_are_recorded_whatever_their_driver_offers(publishers, tmp_path):
    """And of a stream of ours also what was published before."""
    for _ in range(BEFORE):
        publishers['/ours'].publish(JointState())
    action = recorder(tmp_path, [topic[1:] for topic in OFFERS])
    command = [''.join(part.text for part in words) for words in action.cmd]
    with subprocess.Popen(command) as recording:
        end = time.monotonic() + PATIENCE
        matched = None
        while time.monotonic() < end and (matched is None or time.monotonic() < matched + 1.0):
            for publisher in publishers.values():
                publisher.publish(JointState())
            if matched is None and all(
                    one.get_subscription_count() for one in publishers.values()):
                matched = time.monotonic()
            time.sleep(0.01)
        recording.send_signal(signal.SIGINT)
        assert recording.wait(PATIENCE) == 0
    assert matched is not None
    with open_bag(tmp_path / 'bag') as bag:
        counts = {topic: bag.count(topic) for topic in OFFERS}
    assert counts['/ours'] > BEFORE + 50
    assert min(counts.values()) > 20
