"""A reader of two streams of 1 kHz that is stopped for a while: it misses nothing."""

import os
import signal
import subprocess
import sys
import time

import pytest
import rclpy
from sensor_msgs.msg import Imu, JointState

from mb_ros.qos import DEEPEST, STARVED, STREAM_QOS, stream_qos
from mb_ros.stamps import stamp

PATIENCE = 60.0         # of a machine that does other things [s]
STEP = 1_000_000        # 1 kHz [ns]
STOPPED = 4.0           # [s]
BEFORE, AFTER = 500, 500        # readings of each stream around the standstill
READER = """
import sys
import rclpy
from sensor_msgs.msg import Imu, JointState
from mb_ros.diagnostics import OK, Health
from mb_ros.draining_executor import DrainingExecutor
from mb_ros.managed_node import ManagedNode
from mb_ros.stamps import nanoseconds

class Reader(ManagedNode):
    def configure(self):
        self.stamps = {'encoder': [], 'imu': []}
        for kind, topic in ((JointState, 'encoder'), (Imu, 'imu')):
            self.subscribe(kind, topic, lambda message, topic=topic: self.stamps[topic].append(
                nanoseconds(message.header.stamp)))
    def reset(self):
        return ''
    def health(self):
        return Health(OK, 'reading')

last = int(sys.argv[1])
rclpy.init()
node = Reader('reader')
executor = DrainingExecutor()
executor.add_node(node)
print('reads', flush=True)
while not all(stamps and stamps[-1] == last for stamps in node.stamps.values()):
    executor.spin_once(timeout_sec=0.1)
for stamps in node.stamps.values():
    print(len(stamps), len(set(stamps)), stamps == sorted(stamps))
"""


@pytest.mark.parametrize(('rate', 'depth'), [
    (1.0, 1000), (100.0, 1000), (200.0, 2000), (1000.0, DEEPEST), (1e4, DEEPEST), (0.0, DEEPEST),
    (333.3, 3333), (400.0, 4000)])
def test_publishers_keep_the_time_of_a_starved_reader(rate, depth):
    qos = stream_qos(rate)
    assert qos.depth == depth
    assert depth >= min(DEEPEST, rate * STARVED)
    assert (qos.reliability, qos.durability) == (STREAM_QOS.reliability, STREAM_QOS.durability)


@pytest.mark.whole
def test_a_reader_of_2_khz_that_is_stopped_misses_nothing():
    count = BEFORE + int(STOPPED * 1e9 / STEP) + AFTER
    reader = subprocess.Popen([sys.executable, '-c', READER, str((count - 1) * STEP)], text=True,
                              stdout=subprocess.PIPE)
    rclpy.init()
    node = rclpy.create_node('sensors')
    try:
        assert reader.stdout.readline() == 'reads\n'
        publishers = [(node.create_publisher(kind, topic, stream_qos(1e9 / STEP)), kind())
                      for kind, topic in ((JointState, 'encoder'), (Imu, 'imu'))]
        until = time.monotonic() + PATIENCE
        while not all(one.get_subscription_count() for one, _ in publishers):
            assert time.monotonic() < until
            time.sleep(0.02)
        begin = time.monotonic()
        for k in range(count):
            time.sleep(max(0.0, begin + 1e-9 * k * STEP - time.monotonic()))
            if k == BEFORE:
                reader.send_signal(signal.SIGSTOP)
            elif k == count - AFTER:
                os.kill(reader.pid, signal.SIGCONT)
            for publisher, message in publishers:
                message.header.stamp = stamp(k * STEP)
                publisher.publish(message)
        said = reader.communicate(timeout=PATIENCE)[0].split('\n')
        assert said[:2] == 2 * [f'{count} {count} True']
    finally:
        reader.kill()
        reader.wait()
        node.destroy_node()
        rclpy.shutdown()
