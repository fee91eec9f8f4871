"""The contact detector node: what it publishes, and what it makes of messages that do not fit."""

from itertools import pairwise

from contact_states import MS, moving, robot
import numpy as np
import pytest
from rclpy.node import Node
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger

from mb_contact.detection.detector import ContactDetector
from mb_contact.nodes.contact_detector import ContactDetectorNode
from mb_interfaces.msg import ContactEstimate, MechanismState
from mb_model import MechanismError, load_mechanism
from mb_ros.node_bench import complaint_of, on_bench, spin_until
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds, stamp
from mb_ros.states import doubles, mechanism_state

STATE_NOISE = np.diag([1e-5] * 3 + [1e-3, 1e-3, 1e-2] + [0.06, 0.06, 1.4])


class Bench(Node):
    """The surroundings of the contact detector: estimator, drives, a subscriber to contacts."""

    def __init__(self):
        super().__init__('bench')
        self.received = []
        self.states = self.create_publisher(MechanismState, 'estimator/state', STREAM_QOS)
        self.torques = self.create_publisher(JointState, 'prototype/drive_torques', STREAM_QOS)
        self.reset = self.create_client(Trigger, 'contact_detector/reset')
        self.create_subscription(
            ContactEstimate, 'contact_detector/contact', self.received.append, STREAM_QOS)

    def publish(self, when, z, zd, zdd, torques, P=STATE_NOISE ** 2, mechanism=None):
        """Publish a state, and the torques until then, of a mechanism, default the robot."""
        mechanism = mechanism or robot()
        message = JointState(name=mechanism.drives, effort=doubles(torques))
        message.header.stamp = stamp(int(when) - MS)
        self.torques.publish(message)
        self.states.publish(mechanism_state(
            mechanism, int(when), z=z, zd=zd, zdd=zdd, covariance=P.ravel()))


@pytest.fixture
def bench_with(tmp_path):
    """A context of (node, bench) with parameters."""
    file = tmp_path / 'robot.yaml'
    file.write_text('extends: three_rrr\nparameters: {drive_coulomb: 0.0}\nname: three_rrr\n')
    return lambda *parameters: on_bench(
        ContactDetectorNode, Bench, [f'mechanism:={file}', *parameters])


def test_contacts_are_those_of_the_library_with_the_body_that_is_touched(bench_with):
    outside = np.outer(np.arange(60) >= 40, [12.0, -5.0, 0.0])      # through the platform's centre
    states = moving(outside)
    track = ContactDetector(robot()).run(
        *states[:4], np.tile(STATE_NOISE ** 2, (60, 1, 1)), states[4])
    with bench_with('publish_rate:=0.0') as (node, bench):
        for row in zip(*states, strict=True):
            bench.publish(*row)
        spin_until(bench, lambda: len(bench.received) == 59)     # torques to the last are unknown
        received = bench.received
        assert [nanoseconds(m.header.stamp) for m in received] == states[0][:-1].tolist()
        assert [m.detected for m in received] == track.detected[:-1].tolist()
        assert [nanoseconds(m.since) for m in received] == track.since[:-1].tolist()
        for k, message in enumerate(received[1:], 1):
            for force in message.forces:
                np.testing.assert_allclose(force.force, track.force[force.method][k], atol=1e-9)
                np.testing.assert_allclose(
                    force.covariance, track.covariance[force.method][k].ravel(), rtol=1e-9)
        assert not received[0].forces
        assert received[0].reason.startswith('the first state')
        assert not any(m.hypotheses for m in received[:40])
        assert received[-1].method == 'direct'
        found = received[-1].hypotheses
        assert found[0].name == 'platform'
        assert sum(h.probability for h in found) == pytest.approx(1.0, abs=0.05)
        force = found[0].contacts[0].force
        assert [force.x, force.y] == pytest.approx([12.0, -5.0], rel=0.2)
        assert node.health().message == 'something touches'


def test_an_arm_in_space_is_pushed_where_the_node_says():
    """A push on the forearm of an arm that holds its weight: body, point and force have three axes.

    Without friction it may be one on the wrist as well, whose axis it goes through.
    """
    arm, rest = load_mechanism('six_axis_arm'), np.zeros(6)
    holding = arm.inverse_dynamics(arm.z0, rest, rest)
    motion, at, push = arm.body_motion('forearm', arm.q0), (0.04, 0.0, 0.25), [-80.0, 0.0, 0.0]
    jacobian = arm.contact_jacobian(arm.q0, 'forearm', at, reduced=True)[:3]
    outside = jacobian.T @ motion.rotation @ push
    P = np.diag([1e-10] * 6 + [1e-8] * 6 + [1e-4] * 6)
    with on_bench(ContactDetectorNode, Bench, [
            'mechanism:=six_axis_arm', 'publish_rate:=0.0', 'direct_threshold:=[5.0]',
            'momentum_threshold:=[5.0]', 'method:=direct']) as (_, bench):
        for k in range(1, 31):
            zdd = arm.forward_dynamics(arm.z0, rest, holding + (outside if k > 10 else 0.0))
            bench.publish(MS * k, arm.z0, rest, zdd, holding, P, arm)
        spin_until(bench, lambda: len(bench.received) == 29)
        assert [message.detected for message in bench.received] == [False] * 10 + [True] * 19
        likely = [one for one in bench.received[-1].hypotheses if one.probability > 0.2]
        found, = (one for one in likely if one.name == 'forearm')
        point, force = found.contacts[0].point, found.contacts[0].force
        np.testing.assert_allclose([point.x, point.y, point.z], motion.position_of(at), atol=0.05)
        np.testing.assert_allclose([force.x, force.y, force.z], motion.rotation @ push, atol=15.0)


def test_hypotheses_are_weighed_so_many_times_a_second(bench_with):
    outside = np.outer(np.arange(80) >= 42, [12.0, -5.0, 0.0])
    with bench_with('publish_rate:=0.0', 'isolation_rate:=100.0') as (_, bench):
        for row in zip(*moving(outside), strict=True):
            bench.publish(*row)
        spin_until(bench, lambda: len(bench.received) == 79)
        published = [(nanoseconds(m.header.stamp) // MS, m.hypotheses) for m in bench.received]
        weighed = [now for (_, before), (now, found) in pairwise(published) if found != before]
        begin = next(nanoseconds(m.since) // MS for m in bench.received if m.detected)
        assert weighed == [begin, *(k for k in range(0, 80, 10) if k > begin)]


def test_a_contact_is_published_where_no_body_can_be_named(bench_with, monkeypatch, capfd):
    def fail(*_):
        raise MechanismError('three_rrr: no position, or a singular one')
    outside = np.outer(np.arange(60) >= 40, [12.0, -5.0, 0.0])
    with bench_with('publish_rate:=0.0') as (node, bench):
        monkeypatch.setattr(node._reports.isolation, 'hypotheses', fail)
        for row in zip(*moving(outside), strict=True):
            bench.publish(*row)
        spin_until(bench, lambda: len(bench.received) == 59)
        assert bench.received[-1].detected
        assert not bench.received[-1].hypotheses
        assert node.health().values['contacts without hypotheses'] > 10
        assert 'which body is touched is not known' in capfd.readouterr().err


def test_beginnings_and_ends_are_reported_at_any_rate(bench_with):
    outside = np.outer((np.arange(150) // 30) % 2, [12.0, 0.0, 0.0])
    with bench_with('publish_rate:=1.0', 'holding_time:=0.005', 'method:=direct') as (node, bench):
        for row in zip(*moving(outside), strict=True):
            bench.publish(*row)
        spin_until(bench, lambda: len(bench.received) == 5)
        published = [(m.detected, nanoseconds(m.header.stamp) // MS) for m in bench.received]
        assert published == [(False, 1), (True, 31), (False, 65), (True, 91), (False, 125)]
        assert node.health().values['contacts'] == 2


def test_what_does_not_fit_is_reported_and_left_out(bench_with):
    states = moving(np.zeros((8, 3)))
    rows = list(zip(*states, strict=True))
    with bench_with('publish_rate:=0.0') as (node, bench):
        assert node.health().message == 'no states with torques yet'
        for k, row in enumerate(rows):
            bench.publish(*row, P=np.eye(2) if k == 3 else STATE_NOISE ** 2)
            if k == 4:
                bench.states.publish(MechanismState(independent=['x']))
                bench.states.publish(mechanism_state(
                    robot(), int(row[0]), z=row[1], covariance=[1.0, 2.0]))
                bench.torques.publish(JointState(name=['drive1'], effort=[1.0]))
                bench.states.publish(mechanism_state(robot(), int(row[0]) + 1, z=[np.nan]))
        spin_until(bench, lambda: len(bench.received) == 8)
        reasons = [m.reason for m in bench.received]
        assert [bool(reason) for reason in reasons] == [True, *[False] * 4, True, False, False]
        assert reasons[5] == 'the state, its covariance or a torque is not usable'
        assert node.health().values['messages rejected'] == 3
        assert node.health().message == 'no new states with torques'


def test_reset_lets_stamps_begin_anew(bench_with):
    rows = list(zip(*moving(np.outer(np.ones(6), [12.0, 0.0, 0.0])), strict=True))
    with bench_with('publish_rate:=0.0') as (node, bench):
        for row in rows:
            bench.publish(*row)
        spin_until(bench, lambda: len(bench.received) == 5)
        assert bench.received[-1].detected
        answer = bench.reset.call_async(Trigger.Request())
        spin_until(bench, answer.done)
        assert node.health().message == 'no states with torques yet'
        for row in rows[:3]:
            bench.publish(*row)
        spin_until(bench, lambda: len(bench.received) == 7)
        assert [m.detected for m in bench.received[5:]] == [False, True]


@pytest.mark.parametrize(('parameter', 'word'), [
    ('mechanism:=four_bar', 'drives: missing'), ('drives:=[motor]', 'motor'),
    ('gain:=[1.0, 2.0]', 'gain'), ('method:=touch', 'momentum_observer')])
def test_wrong_parameters_end_the_node_in_words(parameter, word, capfd):
    assert word in complaint_of(ContactDetectorNode, [parameter], capfd)
