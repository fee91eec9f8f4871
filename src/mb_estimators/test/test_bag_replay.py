"""A bag of readings, replayed into the estimator: the same bits every time, and those offline."""

from pathlib import Path
import shutil
import signal
import subprocess
import sys
import time

from message_bags import write_messages
import pytest
import rclpy
from rclpy.node import Node
from rclpy.serialization import deserialize_message
from rosbag2_interfaces.srv import Resume
import rosbag2_py
from sensor_msgs.msg import JointState
from streamed import FIELDS, bits, stream_of

from mb_estimators import three_simulation
from mb_interfaces.msg import MechanismState
from mb_model import apply_model_errors, load_mechanism
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds
from mb_ros.states import joint_state, state_arrays

START, STEP = 1_000_000_000, 5_000_000
ERRORS = {'gravity': -1.0, 'z0': 0.196}
WAIT = 30.0       # longest wait for anything [s]
FOUND = 2.0       # until player and estimator have found one another, which others cannot see [s]
ROS2 = shutil.which('ros2') or str(Path(sys.executable).with_name('ros2'))
TRANSIENT_LOCAL = """\
/crank_encoder: {history: keep_last, depth: 1000, reliability: reliable,
                 durability: transient_local}
"""


@pytest.fixture
def domain():
    """Stay apart from whatever else runs on this machine."""


@pytest.fixture
def bag(tmp_path):
    """Return the folder of a bag of noisy encoder readings, a few of them missing."""
    result = three_simulation(
        load_mechanism('four_bar'), 'error_ekf', ['crank_encoder'], ERRORS, 2.0, 0.005, 1)
    (tmp_path / 'qos.yaml').write_text(TRANSIENT_LOCAL)
    return write_messages(tmp_path / 'bag', [
        ('/crank_encoder', joint_state(START + k * STEP, ['crank_encoder'], [reading]))
        for k, reading in enumerate(result.readings[:, 0]) if k % 17 != 5], 'sqlite3')


def offline(bag, name):
    """Return the bytes of the estimates, by stamp, of the readings in a bag."""
    mechanism = apply_model_errors(load_mechanism('four_bar'), ERRORS)
    stream = stream_of(mechanism, ['crank_encoder'], name, start_time=1.0)
    reader = rosbag2_py.SequentialReader()
    reader.open(rosbag2_py.StorageOptions(uri=str(bag), storage_id='sqlite3'),
                rosbag2_py.ConverterOptions('cdr', 'cdr'))
    estimates = {}
    while reader.has_next():
        _, data, _ = reader.read_next()
        message = deserialize_message(data, JointState)
        for step in stream.add(
                'crank_encoder', nanoseconds(message.header.stamp), message.position):
            estimates[step.stamp] = bits(step.estimate)
    return estimates


class Estimates(Node):
    """Collects what the estimator publishes."""

    def __init__(self):
        super().__init__('listener')
        self.by_stamp = {}
        self.create_subscription(MechanismState, '/estimator/state', self._on_state, STREAM_QOS)

    def _on_state(self, message):
        arrays = state_arrays(message)
        self.by_stamp[nanoseconds(message.header.stamp)] = b''.join(
            arrays[name].tobytes() for name in FIELDS)


def spin_until(node, done, what):
    end = time.monotonic() + WAIT
    while not done():
        assert time.monotonic() < end, what
        rclpy.spin_once(node, timeout_sec=0.05)


def replayed(bag, name, rate, count):
    """Return the bytes of the estimates, by stamp, of a bag played into the estimator node."""
    rclpy.init()
    listener = Estimates()
    processes = [
        subprocess.Popen([
            sys.executable, '-c', 'from mb_estimators.nodes.estimator import main; main()',
            '--ros-args', '-p', 'sensors:=[crank_encoder]', '-p', f'estimator:={name}',
            '-p', 'start_time:=1.0', '-p', f'model_errors.gravity:={ERRORS["gravity"]}',
            '-p', f'model_errors.z0:={ERRORS["z0"]}']),
        subprocess.Popen([
            ROS2, 'bag', 'play', str(bag), '--start-paused', '--rate', str(rate),
            '--disable-keyboard-controls', '--qos-profile-overrides-path',
            str(bag.with_name('qos.yaml'))])]
    try:
        spin_until(listener, lambda: listener.count_publishers('/crank_encoder') == 1
                   and listener.count_subscribers('/crank_encoder') == 1, 'no player, no estimator')
        time.sleep(FOUND)       # the player ends half a second after it goes on
        resume = listener.create_client(Resume, '/rosbag2_player/resume')
        assert resume.wait_for_service(WAIT)
        future = resume.call_async(Resume.Request())
        spin_until(listener, future.done, 'the player does not resume')
        spin_until(listener, lambda: len(listener.by_stamp) >= count,
                   f'fewer than {count} estimates')
        return listener.by_stamp
    finally:
        for process in processes:
            process.send_signal(signal.SIGINT)
        codes = [process.wait(WAIT) for process in processes]
        listener.destroy_node()
        rclpy.shutdown()
        assert codes[0] == 0


@pytest.mark.whole
@pytest.mark.usefixtures('domain')
@pytest.mark.parametrize(('name', 'rate'), [('error_ekf', 2.0), ('dekf', 8.0)])
def test_replaying_a_bag_gives_identical_bits(bag, name, rate):
    expected = offline(bag, name)
    assert len(expected) == 401 - 24
    first = replayed(bag, name, rate, len(expected))
    second = replayed(bag, name, 1.5 * rate, len(expected))
    assert first == second == expected
