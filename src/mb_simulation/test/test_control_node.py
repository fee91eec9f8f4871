"""The prototype with a controller, as a node: torques on their topic, and a reported contact."""

import sys
import time

import numpy as np
import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from sensor_msgs.msg import JointState
from visualization_msgs.msg import Marker, MarkerArray

from mb_interfaces.msg import BodyContacts, ContactEstimate, MechanismState
from mb_model import load_mechanism
from mb_ros.diagnostics import OK, WARN
from mb_ros.node_bench import complaint_of
from mb_ros.qos import COMMAND_QOS, STREAM_QOS
from mb_ros.stamps import nanoseconds, stamp
from mb_simulation.nodes import followers
from mb_simulation.nodes.prototype import PrototypeNode
from mb_simulation.prototypes.obstacle import Contact, force_on_z

PARAMETERS = {'mechanism': 'three_rrr', 'publish_rate': 500.0, 'duration': 0.9,
              'real_time_factor': 0.3, 'trajectory.kind': 'rectangle',
              'wait_for_nodes': '[/other]', 'control.brake_acceleration': 30.0}
MILLISECOND = 1_000_000
TRUTHS = []         # of runs that are to be the same


@pytest.fixture
def context():
    """Set up ROS with parameters; a function of changes to PARAMETERS."""

    def begin(**changes):
        given = PARAMETERS | changes
        words = [word for name, value in given.items() for word in ('-p', f'{name}:={value}')]
        rclpy.init(args=[sys.argv[0], '--ros-args', *words])

    yield begin
    rclpy.try_shutdown()


def spin(nodes, done):
    """Let nodes work until done(), then destroy them."""
    executor = SingleThreadedExecutor()
    for node in nodes:
        executor.add_node(node)
    deadline = time.monotonic() + 60
    while not done() and time.monotonic() < deadline:
        executor.spin_once(timeout_sec=0.05)
    for node in nodes:
        node.destroy_node()


def test_torques_come_with_their_stamps_and_a_contact_stops_the_robot(context):
    context(**{'control.reaction_delay': 0.03, 'wait_for_judgements': True})
    node, other = PrototypeNode(), rclpy.create_node('other', use_global_arguments=False)
    torques, states = [], []
    contact = other.create_publisher(ContactEstimate, 'contact_detector/contact', COMMAND_QOS)

    def judge(milliseconds, detected):
        message = ContactEstimate(detected=detected)
        message.header.stamp = stamp(1_000_000_000 + milliseconds * MILLISECOND)
        contact.publish(message)

    def on_state(state):
        states.append(state)
        judge(2 * (len(states) - 1), detected=len(states) == 200)
        if len(states) == 150:      # a contact long ago, as of a detector that has come back
            judge(60, detected=True)

    other.create_subscription(JointState, 'prototype/drive_torques', torques.append, STREAM_QOS)
    other.create_subscription(MechanismState, 'prototype/state', on_state, STREAM_QOS)
    spin((node, other), lambda: len(states) == 451 and len(torques) == 901)
    stamps = [nanoseconds(message.header.stamp) for message in torques]
    # 1 kHz of control, 500 Hz of states.
    assert stamps == [1_000_000_000 + k * MILLISECOND for k in range(901)]
    assert list(torques[0].name) == ['drive1', 'drive2', 'drive3']
    robot = load_mechanism('three_rrr')
    J = robot.R(np.array(states[60].q))[[robot.coordinates.index(d) for d in robot.drives]]
    needed = robot.inverse_dynamics(states[60].z, states[60].zd, states[60].zdd, near=states[60].q)
    np.testing.assert_allclose(J.T @ torques[119].effort, needed, atol=1.0)
    speeds = [np.hypot(*state.zd[:2]) for state in states]
    assert node._control.health['last reaction'] == 'stop at 0.428 s'
    assert max(speeds[180:200]) > 0.5
    assert max(speeds[350:]) < 0.01


@pytest.mark.parametrize('slow', [0.0, 0.03])
def test_a_reaction_comes_a_fixed_time_after_the_judged_stamp_on_any_machine(context, slow):
    """Time waits for a detector that needs some wall time for each judgement of every 4 ms."""
    context(**{'publish_rate': 1000.0, 'duration': 0.3, 'real_time_factor': 1.0,
               'control.reaction_delay': 0.01, 'wait_for_judgements': True})
    node, other = PrototypeNode(), rclpy.create_node('other', use_global_arguments=False)
    contact = other.create_publisher(ContactEstimate, 'contact_detector/contact', COMMAND_QOS)
    states, reported = [], 1_180 * MILLISECOND

    def on_state(state):
        states.append(state)
        stamp_ = nanoseconds(state.header.stamp)
        if stamp_ % (4 * MILLISECOND) == 0:
            time.sleep(slow)
            message = ContactEstimate(detected=stamp_ >= reported)
            message.header.stamp = state.header.stamp
            contact.publish(message)

    other.create_subscription(MechanismState, 'prototype/state', on_state, STREAM_QOS)
    spin((node, other), lambda: len(states) == 301)
    truth = np.array([[*state.z, *state.zd] for state in states])
    assert node._control.health['last reaction'] == 'stop at 0.190 s'
    assert node._control.health['reactions late'] == 0
    TRUTHS.append(truth)
    np.testing.assert_array_equal(truth, TRUTHS[0])      # of a fast detector, bit for bit


def test_a_reaction_that_comes_late_is_reported(context, capfd):
    """Time waits for estimates only: it is 40 ms after the judged instant, and goes on."""
    context(**{'duration': 0.4, 'control.reaction_delay': 0.01, 'most_ahead': 0.2})
    node, other = PrototypeNode(), rclpy.create_node('other', use_global_arguments=False)
    contact = other.create_publisher(ContactEstimate, 'contact_detector/contact', COMMAND_QOS)
    estimates = other.create_publisher(MechanismState, 'estimator/state', STREAM_QOS)
    states, judged = [], ContactEstimate(detected=True)
    judged.header.stamp = stamp(1_150 * MILLISECOND)
    estimated = MechanismState()
    estimated.header.stamp = stamp(1_200 * MILLISECOND)
    node._control._on_judged = lambda at: estimates.publish(estimated)

    def on_state(state):
        states.append(state)
        if len(states) == 101:
            contact.publish(judged)

    other.create_subscription(MechanismState, 'prototype/state', on_state, STREAM_QOS)
    spin((node, other), lambda: len(states) == 201)
    assert 'another run with this seed may differ' in node._health().message
    assert '1 reactions came up to' in capfd.readouterr().err


def test_time_passes_freely_once_a_detector_has_died(context, monkeypatch, capfd):
    """It judges for 0.1 s, and 0.8 s are left: nothing waits for it but once."""
    monkeypatch.setattr(followers, 'PATIENCE', 0.5)
    context(**{'control.reaction_delay': 0.01, 'wait_for_judgements': True,
               'real_time_factor': 3.0})
    node, other = PrototypeNode(), rclpy.create_node('other', use_global_arguments=False)
    contact = other.create_publisher(ContactEstimate, 'contact_detector/contact', COMMAND_QOS)
    states, healths = [], []

    def on_state(state):
        states.append(state)
        if len(states) <= 51:
            message = ContactEstimate()
            message.header.stamp = state.header.stamp
            contact.publish(message)
        if len(states) in (51, 300):
            healths.append(node._health())

    other.create_subscription(MechanismState, 'prototype/state', on_state, STREAM_QOS)
    spin((node, other), lambda: len(states) == 451)
    assert len(states) == 451
    assert healths[0].level == OK
    reported = ('does not wait any more: no judgements since 0.100 s: another run with this seed '
                'may differ')
    assert (healths[1].level, healths[1].message) == (WARN, reported)
    assert node._health().values['times without waiting'] == 1
    assert reported in capfd.readouterr().err


def test_a_period_of_states_is_just_enough_to_wait_for(context):
    context(**{'publish_rate': 300.0, 'control.rate': 300.0, 'step': 1.0 / 300.0,
               'control.reaction_delay': 1.0 / 300.0, 'wait_for_judgements': True,
               'duration': 0.5, 'real_time_factor': 3.0})
    node, other = PrototypeNode(), rclpy.create_node('other', use_global_arguments=False)
    contact = other.create_publisher(ContactEstimate, 'contact_detector/contact', COMMAND_QOS)
    states = []

    def on_state(state):
        states.append(state)
        message = ContactEstimate()
        message.header.stamp = state.header.stamp
        contact.publish(message)

    other.create_subscription(MechanismState, 'prototype/state', on_state, STREAM_QOS)
    spin((node, other), lambda: len(states) == 151)
    assert len(states) == 151
    assert node._health().values['times without waiting'] == 0


def test_a_judgement_ahead_of_time_is_left_out_and_later_ones_count(context, capfd):
    """One has the stamp of another clock; a contact is judged after that."""
    context(**{'duration': 0.4, 'control.reaction_delay': 0.03, 'wait_for_judgements': True})
    node, other = PrototypeNode(), rclpy.create_node('other', use_global_arguments=False)
    contact = other.create_publisher(ContactEstimate, 'contact_detector/contact', COMMAND_QOS)
    states, ahead = [], ContactEstimate(detected=True)
    ahead.header.stamp = stamp(1_790_000_000_000_000_000)

    def on_state(state):
        states.append(state)
        if len(states) == 50:
            contact.publish(ahead)
        message = ContactEstimate(detected=len(states) == 101)
        message.header.stamp = state.header.stamp
        contact.publish(message)

    other.create_subscription(MechanismState, 'prototype/state', on_state, STREAM_QOS)
    spin((node, other), lambda: len(states) == 201)
    health = node._health()
    assert health.values['last reaction'] == 'stop at 0.230 s'
    assert health.values['judgements ahead of time'] == 1
    assert health.values['reactions late'] == health.values['times without waiting'] == 0
    assert health.level == WARN
    assert health.message == 'judgements left out: stamped later than the newest state'
    assert 'judgement left out' in capfd.readouterr().err


def test_what_touches_is_published(context, tmp_path):
    """Torques and contacts together are what the motion needs; an empty message ends them."""
    file = tmp_path / 'script.yaml'
    file.write_text('collisions: [{bodies: [platform], time: 0.34, direction: 0.3, stays: 0.05}]')
    # Without dry friction, which is another one in inverse dynamics while a drive turns back.
    smooth = tmp_path / 'smooth.yaml'
    smooth.write_text('{extends: three_rrr, parameters: {drive_coulomb: 0.0}}')
    context(**{'mechanism': str(smooth), 'duration': 0.45, 'collisions': str(file),
               'control.reaction': 'none'})
    node, other = PrototypeNode(), rclpy.create_node('other', use_global_arguments=False)
    torques, states, contacts, ways = [], [], [], []
    other.create_subscription(MarkerArray, 'prototype/obstacles', ways.append, STREAM_QOS)
    for kind, topic, received in ((JointState, 'drive_torques', torques),
                                  (MechanismState, 'state', states),
                                  (BodyContacts, 'contacts', contacts)):
        other.create_subscription(kind, f'prototype/{topic}', received.append, STREAM_QOS)
    spin((node, other), lambda: len(states) == 226 and len(torques) == 451 and contacts
         and not contacts[-1].contacts)
    (obstacle,), gone = (message.markers for message in ways)
    assert (obstacle.type, obstacle.scale.x, len(gone)) == (Marker.SPHERE, 0.08, 0)
    first = contacts[0].contacts[0].point
    assert np.hypot(first.x - obstacle.pose.position.x, first.y - obstacle.pose.position.y) == (
        pytest.approx(0.04, abs=1e-3))
    stamps = [nanoseconds(message.header.stamp) for message in contacts]
    assert stamps[0] == pytest.approx(1.34e9, abs=3 * MILLISECOND)
    assert stamps[-1] == pytest.approx(1.39e9, abs=3 * MILLISECOND)
    assert (np.diff(stamps) == 2 * MILLISECOND).all()
    assert [bool(message.contacts) for message in contacts] == [True] * (len(stamps) - 1) + [False]
    robot = load_mechanism(str(smooth))
    drives = [robot.coordinates.index(name) for name in robot.drives]
    for message, at in zip(contacts, stamps, strict=True):
        state = states[(at - 1_000_000_000) // (2 * MILLISECOND)]
        needed = robot.inverse_dynamics(state.z, state.zd, state.zdd, near=state.q)
        # Torques of the step that ends at the state.
        before = torques[(at - 1_000_000_000) // MILLISECOND - 1].effort
        q, touching = np.array(state.q), [Contact(
            contact.body, np.array([contact.point.x, contact.point.y]),
            np.array([contact.force.x, contact.force.y])) for contact in message.contacts]
        found = robot.R(q)[drives].T @ before + force_on_z(robot, q, touching)
        np.testing.assert_allclose(found, needed, atol=0.05)


@pytest.mark.parametrize(('changes', 'message'), [
    ({'mechanism': 'four_bar', 'trajectory.kind': 'circle'}, 'first two degrees of freedom are le'),
    ({'trajectory.kind': 'spiral'}, 'trajectory.kind'),
    ({'control.mechanism': 'five_bar'}, 'control.mechanism: five_bar.yaml: independent: theta1'),
    ({'control.rate': 300.0}, 'control.rate: a period of 0.00333333 s is no whole number'),
    ({'control.reaction': 'scream'}, 'control.reaction'),
    ({'wait_for_judgements': True}, 'wait_for_judgements: there is nothing to wait for'),
    ({'wait_for_judgements': True, 'control.reaction_delay': 0.001},
     'control.reaction_delay: 0.001 must be >= 0.002, the period of publish_rate: time waits'),
    ({'most_ahead': 0.001}, 'most_ahead: 0.001 must be >= 0.002, the period of publish_rate'),
    ({'collisions': 'five_rrr'}, 'collisions: five_rrr: no such file, nor one of delta, stewart'),
    ({'collisions': 'three_rrr', 'trajectory.kind': 'none'}, 'collisions: there is no motion'),
    ({'collisions': 'three_rrr', 'engine': 'multibody'}, 'engine: multibody knows no contacts'),
])
def test_wrong_parameters_are_reported(changes, message, capfd):
    parameters = [f'{name}:={value}' for name, value in (PARAMETERS | changes).items()]
    assert message in complaint_of(PrototypeNode, parameters, capfd)


def test_time_waits_for_estimates(context):
    """It stands still while there are no estimates, and goes on as far as estimates allow."""
    context(**{'trajectory.kind': 'none', 'most_ahead': 0.2, 'real_time_factor': 10.0})
    node, other = PrototypeNode(), rclpy.create_node('other', use_global_arguments=False)
    estimates = other.create_publisher(MechanismState, 'estimator/state', STREAM_QOS)
    received, quiet = [], {'since': time.monotonic()}

    def on_state(state):
        received.append(nanoseconds(state.header.stamp))
        quiet['since'] = time.monotonic()

    def done():
        if len(received) == 101 and time.monotonic() - quiet['since'] > 0.3:
            state = MechanismState()
            state.header.stamp.sec, state.header.stamp.nanosec = 1, 100 * MILLISECOND
            estimates.publish(state)
        return len(received) == 151 and time.monotonic() - quiet['since'] > 0.3

    other.create_subscription(MechanismState, 'prototype/state', on_state, STREAM_QOS)
    spin((node, other), done)
    assert received[-1] == 1_300 * MILLISECOND
    assert len(received) == 151


def test_estimates_ahead_of_time_do_not_let_time_run(context):
    context(**{'trajectory.kind': 'none', 'most_ahead': 0.2, 'real_time_factor': 10.0})
    node, other = PrototypeNode(), rclpy.create_node('other', use_global_arguments=False)
    estimates = other.create_publisher(MechanismState, 'estimator/state', STREAM_QOS)
    received, ahead = [], MechanismState()
    ahead.header.stamp.sec = 1_790_000_000
    since = []

    def on_state(state):
        received.append(state)
        if len(received) == 101:
            estimates.publish(ahead)
            since.append(time.monotonic())

    other.create_subscription(MechanismState, 'prototype/state', on_state, STREAM_QOS)
    spin((node, other), lambda: since and time.monotonic() - since[0] > 0.5)
    assert len(received) == 101
    health = node._health()
    assert health.values['estimates ahead of time'] == 1
    assert health.message == 'estimates left out: stamped later than the newest state'


@pytest.mark.parametrize('stiffness', [0.0, 1e4])
def test_joints_give_way_if_parameters_say_so(context, stiffness):
    """By how much under which force: test_mujoco_joints."""
    context(**{'duration': 0.2, 'unmodelled.joint_stiffness': stiffness})
    node, other = PrototypeNode(), rclpy.create_node('other', use_global_arguments=False)
    states = []
    other.create_subscription(MechanismState, 'prototype/state', states.append, STREAM_QOS)
    spin((node, other), lambda: len(states) == 101)
    gap = float(node._health().values['largest loop residual [m]'])
    assert 1e-3 < gap < 1e-2 if stiffness else gap < 1e-6
