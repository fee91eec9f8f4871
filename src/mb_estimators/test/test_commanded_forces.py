"""Known forces as ros2_control has them: efforts by joints, commands without names or stamps."""

from message_bags import write_messages
import numpy as np
import pytest
from rclpy.node import Node
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from mb_estimators import HeldInputs, ReadInputs, input_topic, read_recording
from mb_estimators.nodes.estimator import EstimatorNode
from mb_interfaces.msg import MechanismState
from mb_model import load_mechanism
from mb_ros.node_bench import complaint_of, on_bench, spin_until
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import stamp
from mb_sensors import sensors_of

COMMANDS = 'effort_controller/commands'


def robot():
    """Return a five-bar whose second drive is called right_joint, on joint_states."""
    motors = {f'{side}_motor': {
        'kind': 'motor_torque', 'drive': drive, 'sigma': 0.1, 'topic': 'joint_states',
        'joint_name': f'{side}_joint'} for side, drive in (('left', 'theta1'), ('right', 'theta2'))}
    return load_mechanism('five_bar').replace(drives=['theta1', 'theta2'], sensors=motors)


def efforts(**of):
    return JointState(name=list(of), effort=list(of.values()))


def test_efforts_are_of_the_joints_of_motors():
    """In any order, beside joints of a gripper, without an effort of a joint that has none."""
    topic = input_topic(robot(), False, '/joint_states')
    assert topic.inputs is ReadInputs
    assert topic.is_stamped
    assert topic.values(efforts(gripper=9.0, right_joint=-2.0, passive=float('nan'),
                                left_joint=5.0)) == [5.0, -2.0]


@pytest.mark.parametrize(('message', 'words'), [
    (efforts(left_joint=1.0), 'no effort of right_joint in messages on joint_states, which have '
                              'left_joint'),
    (efforts(left_joint=1.0, right_joint=float('nan')), 'right_joint: nan must be finite'),
    (JointState(name=['left_joint', 'right_joint'], position=[1.0, 2.0]),
     'no effort of left_joint, right_joint in messages on joint_states, which have none')])
def test_efforts_that_are_not_there_are_named(message, words):
    with pytest.raises(ValueError, match=words):
        input_topic(robot(), False, 'joint_states').values(message)


def test_another_topic_has_the_names_of_degrees_of_freedom():
    topic = input_topic(robot(), False, 'efforts')
    assert topic.values(efforts(theta2=3.0)) == [0.0, 3.0]
    with pytest.raises(ValueError, match='expected one each of theta1, theta2'):
        topic.values(efforts(left_joint=1.0))


@pytest.mark.parametrize('names', [['right_joint', 'left_joint'], ['theta2', 'theta1'],
                                   ['right_joint', 'theta1']])
def test_commands_are_by_their_order(names):
    topic = input_topic(robot(), False, COMMANDS, '', names)
    assert topic.inputs is HeldInputs
    assert not topic.is_stamped
    assert topic.values(Float64MultiArray(data=[3.0, 4.0])) == [4.0, 3.0]
    with pytest.raises(ValueError, match=f'3 numbers on {COMMANDS}, expected one for each of '
                                         f'{names[0]}, {names[1]}'):
        topic.values(Float64MultiArray(data=[3.0, 4.0, 5.0]))
    with pytest.raises(ValueError, match=f'{names[0]}: inf must be finite'):
        topic.values(Float64MultiArray(data=[float('inf'), 4.0]))


@pytest.mark.parametrize(('given', 'words'), [
    ((COMMANDS, '', ['knee']), 'command_joints: knee: must be one of left_joint, right_joint, '
                               'theta1, theta2'),
    ((COMMANDS, '', ['theta1', 'left_joint']), 'expected one for each degree of freedom at most'),
    ((COMMANDS, 'readings', ['theta1']), 'torques_are: readings: numbers on .* have no stamps'),
    (('', '', ['theta1']), 'known_forces: missing, expected the topic')])
def test_commands_that_cannot_be_are_refused(given, words):
    with pytest.raises(ValueError, match=words):
        input_topic(robot(), False, *given)


def test_commands_in_a_bag_act_from_their_arrival(tmp_path):
    """They have no other time."""
    reading = JointState(name=['left_crank_encoder'], position=[0.0])
    reading.header.stamp = stamp(2_000_000_000)
    write_messages(tmp_path / 'bag', [
        (f'/{COMMANDS}', Float64MultiArray(data=[7.0]), 1_500_000_000),
        ('/left_crank_encoder', reading),
        (f'/{COMMANDS}', Float64MultiArray(data=[8.0]), 2_500_000_000)])
    found = read_recording(
        tmp_path / 'bag', sensors_of(load_mechanism('five_bar'), 'left_crank_encoder'),
        inputs=input_topic(robot(), False, COMMANDS, '', ['right_joint'])).inputs
    assert found.stamps == [1_500_000_000, 2_500_000_000]
    np.testing.assert_array_equal(found.values, [[0.0, 7.0], [0.0, 8.0]])


class Bench(Node):
    """An encoder of a crank that stands level, and who commands its motor to hold it there."""

    def __init__(self):
        super().__init__('bench')
        self.states = []
        self.readings = self.create_publisher(JointState, 'crank_encoder', STREAM_QOS)
        self.commands = self.create_publisher(Float64MultiArray, COMMANDS, 10)
        self.create_subscription(MechanismState, 'estimator/state', self.states.append, STREAM_QOS)

    def send(self, *torques):
        """Send commands and, a moment later, a reading at the start."""
        self.commands.publish(Float64MultiArray(data=list(torques)))
        self.executor_of_all.spin_once(timeout_sec=0.02)
        reading = JointState(name=['crank_encoder'], position=[np.pi / 3])
        reading.header.stamp = self.get_clock().now().to_msg()
        self.readings.publish(reading)
        return True


@pytest.mark.parametrize('torque', [0.0, 500.0])
def test_the_node_takes_commands_as_they_come(torque):
    """A crank that is pushed accelerates by what its reduced mass says; a wrong count is left out.
    """
    linkage = load_mechanism('four_bar')
    with on_bench(EstimatorNode, Bench, [
            'sensors:=[crank_encoder]', f'known_forces:={COMMANDS}', 'command_joints:=[theta]',
            'crank_encoder.sigma:=10.0']) as (_, bench):
        bench.send(torque, torque)      # for two joints
        spin_until(bench, lambda: bench.send(torque) and len(bench.states) > 20)
    state = bench.states[-1]
    pushed, free = (linkage.forward_dynamics(
        np.array(state.z), np.array(state.zd), np.array([force]))[0] for force in (torque, 0.0))
    assert state.zdd[0] == pytest.approx(pushed, abs=0.02 * abs(free))


def test_the_node_says_what_it_expects(capfd):
    assert 'command_joints: crank: must be one of theta' in complaint_of(EstimatorNode, [
        'sensors:=[crank_encoder]', f'known_forces:={COMMANDS}', 'command_joints:=[crank]'], capfd)
