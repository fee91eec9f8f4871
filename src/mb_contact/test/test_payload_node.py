"""The payload estimator node: what it publishes, and what it makes of messages that do not fit."""

from crane_states import START, covariances, crane, pressures, stamps, strokes
import numpy as np
import pytest
from rclpy.node import Node
from std_srvs.srv import Trigger

from mb_contact.nodes.payload_estimator import PayloadEstimatorNode
from mb_contact.payload.estimator import PayloadEstimator
from mb_contact.payload.payload_settings import PayloadSettings
from mb_contact.payload.payload_stream import StampedPairs
from mb_interfaces.msg import HydraulicState, MechanismState, PayloadEstimate
from mb_ros.node_bench import complaint_of, on_bench, spin_until
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds, stamp
from mb_ros.states import doubles, mechanism_state

DT = 0.005
SETTINGS = {'settling_time': 0.02, 'averaging_time': 0.1, 'time_constant': 0.1}


class Bench(Node):
    """The surroundings of the payload estimator: the estimator, and who listens to masses."""

    def __init__(self):
        super().__init__('bench')
        self.received = []
        self.motion = self.create_publisher(MechanismState, 'estimator/state', STREAM_QOS)
        self.oil = self.create_publisher(HydraulicState, 'estimator/hydraulics', STREAM_QOS)
        self.reset = self.create_client(Trigger, 'payload_estimator/reset')
        self.create_subscription(
            PayloadEstimate, 'payload_estimator/payload', self.received.append, STREAM_QOS)


@pytest.fixture
def bench():
    """A payload estimator on a bench."""
    parameters = [f'{name}:={value}' for name, value in SETTINGS.items()]
    with on_bench(PayloadEstimatorNode, Bench, parameters) as (node, bench):
        bench.node = node
        yield bench


def motion_message(when, z, zd, zdd):
    return mechanism_state(crane(), int(when), z=z, zd=zd, zdd=zdd, q=crane().assemble(z))


def oil_message(when, p, covariance, distrust='', volumes=('v1', 'v2')):
    message = HydraulicState(
        mechanism='crane', volume=list(volumes), pressure=doubles(p), valve=['directional'],
        spool=doubles([0.0]), cylinder=['lift'], covariance=doubles(covariance.ravel()),
        distrust=distrust)
    message.header.stamp = stamp(int(when))
    return message


def moving(rows=60):
    """Return stamps, z, zd, zdd (k, 1), p (k, 2) and covariances of the crane with 80 kg."""
    t, z, zd, zdd = (array[:rows] for array in strokes(1.0, DT))
    return (stamps(t), z[:, None], zd[:, None], zdd[:, None], pressures(crane(80.0), z, zd, zdd),
            covariances(rows))


def test_masses_are_those_of_the_library_in_whatever_order_the_topics_come(bench):
    when, z, zd, zdd, p, P = moving()
    motions = [motion_message(*row) for row in zip(when, z, zd, zdd, strict=True)]
    oils = [oil_message(*row) for row in zip(when, p, P, strict=True)]
    for message in motions[:40]:
        bench.motion.publish(message)
    for message in oils:
        bench.oil.publish(message)
    for message in motions[40:]:
        bench.motion.publish(message)
    spin_until(bench, lambda: len(bench.received) == 60)
    library = PayloadEstimator(crane(), ['load'], PayloadSettings(**SETTINGS), DT)
    expected = library.run(when[1:], z[1:], zd[1:], zdd[1:], p[1:], P[1:])
    received = bench.received[1:]
    assert [nanoseconds(message.header.stamp) for message in received] == when[1:].tolist()
    np.testing.assert_allclose([m.mass[0] for m in received], expected.mass[:, 0], rtol=1e-9)
    np.testing.assert_allclose(
        [m.deviation[0] for m in received], expected.deviation[:, 0], rtol=1e-6)
    assert [m.updating for m in received] == expected.updating.tolist()
    assert [m.reason for m in received] == expected.reason
    assert received[-1].parameter == ['load']
    assert received[-1].mass[0] == pytest.approx(80.0, abs=0.01)


def test_what_does_not_fit_is_reported_and_left_out(bench):
    when, z, zd, zdd, p, P = moving(8)
    motions = [motion_message(*row) for row in zip(when, z, zd, zdd, strict=True)]
    nonsense = motion_message(when[3], z[3], zd[3], zdd[3])
    nonsense.z = doubles([])
    for message in (*motions[:3], nonsense, *motions[4:]):
        bench.motion.publish(message)
    bench.oil.publish(oil_message(when[0], p[0], P[0], volumes=['v2', 'v1']))
    bench.oil.publish(oil_message(when[1], p[1], P[1], 'pressure1 is silent'))
    bench.oil.publish(oil_message(when[2], p[2], np.eye(5)))
    bench.oil.publish(oil_message(when[3], p[3], P[3]))
    bench.oil.publish(oil_message(when[6], p[6], P[6]))      # 4 and 5 are lost
    bench.oil.publish(oil_message(when[7], p[7] * np.nan, P[7]))
    spin_until(bench, lambda: len(bench.received) == 4)
    unusable = 'the estimated state or its covariance is not usable'
    assert [message.reason for message in bench.received] == [
        'pressure1 is silent', unusable, 'has moved for less than 0.02 s', unusable]
    health = bench.node.health()
    assert health.message.startswith('masses are held: the estimated state')
    assert health.values['estimates rejected'] == 2
    assert health.values['estimates without partner'] == 2


def test_reset_forgets(bench):
    when, z, zd, zdd, p, P = moving(30)
    for row in zip(when, z, zd, zdd, p, P, strict=True):
        bench.motion.publish(motion_message(*row[:4]))
        bench.oil.publish(oil_message(row[0], *row[4:]))
    spin_until(bench, lambda: len(bench.received) == 30)
    assert np.isfinite(bench.received[-1].mass[0])
    answer = bench.reset.call_async(Trigger.Request())
    spin_until(bench, answer.done)
    bench.motion.publish(motion_message(START, z[0], zd[0], zdd[0]))      # an earlier stamp
    bench.oil.publish(oil_message(START, p[0], P[0]))
    spin_until(bench, lambda: len(bench.received) == 31)
    assert np.isnan(bench.received[-1].mass[0])
    assert bench.received[-1].reason.startswith('has moved')


@pytest.mark.parametrize(('parameter', 'word'), [
    ('mechanism:=four_bar', 'hydraulics'), ('method:=guess', 'low_pass')])
def test_wrong_parameters_end_the_node_in_words(parameter, word, capfd):
    assert word in complaint_of(PayloadEstimatorNode, [parameter], capfd)



def test_pairs_do_not_wait_for_ever():
    pairs = StampedPairs(longest=3)
    for k in range(10):
        assert pairs.add(0, k, f'motion {k}') is None
    assert pairs.lost == 7
    assert pairs.add(1, 5, 'oil 5') is None
    assert pairs.add(1, 8, 'oil 8') == ('motion 8', 'oil 8')
    assert pairs.lost == 9
    assert pairs.add(0, 10, 'motion 10') is None
    assert pairs.add(1, 10, 'oil 10') == ('motion 10', 'oil 10')
