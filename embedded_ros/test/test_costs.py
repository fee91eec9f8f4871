"""The switch that lets executors and messages cost what they cost on a Jazzy."""
import os
import subprocess
import sys

import pytest

PROGRAM = """
from statistics import median
from time import thread_time
import rclpy
from rclpy.executors import SingleThreadedExecutor
from sensor_msgs.msg import JointState

rclpy.init()
node, executor, taken = rclpy.create_node('probe'), SingleThreadedExecutor(), []
executor.add_node(node)
subscription = node.create_subscription(JointState, 'topic', taken.append, 10)
publisher = node.create_publisher(JointState, 'topic', 10)
message = JointState(name=list('abc'), position=[0.0] * 3, velocity=[0.0] * 3)

def timed(action):
    begin = thread_time()
    action()
    return thread_time() - begin

def published():
    return timed(lambda: publisher.publish(message))

def woken():
    publisher.publish(message)
    count = len(taken)
    spent = 0.0
    while len(taken) == count:
        spent += timed(lambda: executor.spin_once(timeout_sec=1.0))
    return spent

def by_hand():
    publisher.publish(message)
    publisher.wait_for_all_acked()
    spent, found = 0.0, None
    while found is None:
        begin = thread_time()
        found = subscription.handle.take_message(JointState, False)
        spent = thread_time() - begin
    return spent

while not publisher.get_subscription_count():
    executor.spin_once(timeout_sec=0.1)
print(*(1e6 * median(measure() for _ in range(40)) for measure in (published, woken, by_hand)))
"""


def run(costs):
    environment = {**os.environ, 'EMBEDDED_ROS_COSTS': costs}
    return subprocess.run([sys.executable, '-c', PROGRAM], env=environment, text=True,
                          capture_output=True, timeout=60)


def test_wakes_and_messages_cost_what_was_measured_on_a_jazzy():
    """At least that; how much more depends on the machine."""
    done = run('jazzy')
    assert done.returncode == 0, done.stderr
    published, woken, by_hand = map(float, done.stdout.split())
    assert published > 5.0
    assert woken > 260.0
    assert by_hand > 12.0


@pytest.mark.parametrize('value', ['humble', '1'])
def test_another_value_is_refused(value):
    done = run(value)
    assert done.returncode == 1
    assert f"EMBEDDED_ROS_COSTS: '{value}' is unknown, expected 'jazzy'" in done.stderr
