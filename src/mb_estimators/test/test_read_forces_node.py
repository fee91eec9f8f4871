"""Known forces that are read, in the node and from its bag: the same bits, whatever comes first."""

from message_bags import write_messages
import pytest
from rclpy.node import Node
from sensor_msgs.msg import JointState
from test_read_inputs import FORCE, SLIDE, STAMPS, X

from mb_estimators.nodes import estimate_bag
from mb_estimators.nodes.estimator import EstimatorNode
from mb_interfaces.msg import MechanismState
from mb_ros.node_bench import on_bench, spin_until
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds, stamp as to_stamp
from mb_sensors import open_bag

COUNT = 60


class Bench(Node):
    """A slide with an encoder and a motor that reads its force."""

    def __init__(self):
        super().__init__('bench')
        self.received = {}
        self.out = {topic: self.create_publisher(JointState, topic, STREAM_QOS)
                    for topic in ('encoders', 'efforts')}
        self.create_subscription(MechanismState, 'estimator/state', self._take, STREAM_QOS)

    def _take(self, message):
        self.received[nanoseconds(message.header.stamp)] = (
            list(message.z), list(message.zd), list(message.zdd), list(message.covariance))


def messages():
    """Return [(topic, message)]; forces come after the readings of their stamp."""
    found = []
    for when, x, force in zip(STAMPS[:COUNT].tolist(), X, FORCE, strict=False):
        for topic, values in (('encoders', {'name': ['ruler'], 'position': [x]}),
                              ('efforts', {'name': ['x'], 'effort': [force]})):
            message = JointState(**values)
            message.header.stamp = to_stamp(when)
            found.append((topic, message))
    return found


def estimated(folder, file, torques_are):
    """Return what estimate_bag makes of the bag."""
    output = folder / f'again_{torques_are}'
    assert estimate_bag.main([
        str(folder / 'bag'), '--mechanism', str(file), '--sensors', 'ruler', '--estimator',
        'error_ekf_fe', '--set', 'known_forces=efforts', '--set',
        f'torques_are={torques_are}', '--set', 'dt=0.004', '--output', str(output)]) == 0
    with open_bag(output) as bag:
        return {stamp: (list(state.z), list(state.zd), list(state.zdd), list(state.covariance))
                for stamp, state in bag.of('/estimator/state')}


@pytest.fixture
def slide_file(tmp_path):
    file = tmp_path / 'slide.yaml'
    file.write_text(SLIDE)
    write_messages(tmp_path / 'bag', ((f'/{topic}', message) for topic, message in messages()))
    return file


def test_the_node_gives_what_its_bag_gives(tmp_path, slide_file):
    expected = estimated(tmp_path, slide_file, 'readings')
    held = estimated(tmp_path, slide_file, 'commands')
    assert expected[STAMPS[COUNT - 1]] != held[STAMPS[COUNT - 1]]
    with on_bench(EstimatorNode, Bench, [
            f'mechanism:={slide_file}', 'estimator:=error_ekf_fe', 'sensors:=[ruler]',
            'known_forces:=efforts', 'dt:=0.004']) as (_, bench):
        for topic, message in messages():
            bench.out[topic].publish(message)
        spin_until(bench, lambda: len(bench.received) >= COUNT)
    assert bench.received == expected
    assert len(expected) == COUNT
