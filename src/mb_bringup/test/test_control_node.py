"""The prototype with a controller, as a node: torques on their topic, and a contact it is told."""

import os
import sys
import time

import numpy as np
import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from sensor_msgs.msg import JointState

from mb_bringup.nodes.prototype import PrototypeNode
from mb_interfaces.msg import ContactEstimate, MechanismState
from mb_model import load_mechanism
from mb_ros.qos import COMMAND_QOS, STREAM_QOS
from mb_ros.stamps import nanoseconds

DOMAIN = str(102 + os.getpid() % 100)
PARAMETERS = {'mechanism': 'three_rrr', 'publish_rate': 500.0, 'duration': 0.9,
              'real_time_factor': 0.3, 'trajectory.kind': 'rectangle',
              'wait_for_nodes': '[/other]', 'control.brake_acceleration': 30.0}
MILLISECOND = 1_000_000


@pytest.fixture
def context(monkeypatch):
    """Set up ROS with parameters; a function of changes to PARAMETERS."""
    monkeypatch.setenv('ROS_DOMAIN_ID', DOMAIN)

    def begin(**changes):
        given = PARAMETERS | changes
        words = [word for name, value in given.items() for word in ('-p', f'{name}:={value}')]
        rclpy.init(args=[sys.argv[0], '--ros-args', *words])

    yield begin
    rclpy.try_shutdown()


def test_torques_come_with_their_stamps_and_a_contact_stops_the_robot(context):
    context()
    node, other = PrototypeNode(), rclpy.create_node('other', use_global_arguments=False)
    torques, states = [], []
    contact = other.create_publisher(ContactEstimate, 'contact_detector/contact', COMMAND_QOS)

    def hear(state):
        states.append(state)
        if len(states) in (100, 200):      # in the second one something is detected
            contact.publish(ContactEstimate(detected=len(states) == 200))

    other.create_subscription(JointState, 'prototype/drive_torques', torques.append, STREAM_QOS)
    other.create_subscription(MechanismState, 'prototype/state', hear, STREAM_QOS)
    executor = SingleThreadedExecutor()
    for each in (node, other):
        executor.add_node(each)
    deadline = time.monotonic() + 60
    while (len(states) < 451 or len(torques) < 901) and time.monotonic() < deadline:
        executor.spin_once(timeout_sec=0.05)
    stamps = [nanoseconds(message.header.stamp) for message in torques]
    # 1 kHz of control, 500 Hz of states.
    assert stamps == [1_000_000_000 + k * MILLISECOND for k in range(901)]
    assert list(torques[0].name) == ['drive1', 'drive2', 'drive3']
    robot = load_mechanism('three_rrr')
    J = robot.R(np.array(states[60].q))[[robot.coordinates.index(d) for d in robot.drives]]
    needed = robot.inverse_dynamics(states[60].z, states[60].zd, states[60].zdd, near=states[60].q)
    np.testing.assert_allclose(J.T @ torques[119].effort, needed, atol=1.0)
    speeds = [np.hypot(*state.zd[:2]) for state in states]
    assert max(speeds[150:200]) > 0.5
    assert max(speeds[350:]) < 0.01


@pytest.mark.parametrize(('changes', 'message'), [
    ({'mechanism': 'four_bar', 'trajectory.kind': 'circle'}, 'first two degrees of freedom are le'),
    ({'trajectory.kind': 'spiral'}, 'trajectory.kind'),
    ({'control.mechanism': 'five_bar'}, r'control\.mechanism: five_bar\.yaml: independent: theta1'),
    ({'control.rate': 300.0}, r'control\.rate: a period of 0\.00333333 s is no whole number'),
    ({'control.reaction': 'scream'}, 'control.reaction'),
])
def test_wrong_parameters_are_told(changes, message, context):
    context(**changes)
    with pytest.raises(ValueError, match=message):
        PrototypeNode()
