"""What viewers get: markers, joints, frames and the robot's description, in one process."""

from contextlib import contextmanager
import time
from xml.etree import ElementTree

from geometry_msgs.msg import Point, Pose, Vector3
import numpy as np
import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.time import Time
from sensor_msgs.msg import JointState
from std_msgs.msg import ColorRGBA, String
from tf2_ros import Buffer, TransformListener
from visualization_msgs.msg import Marker, MarkerArray

from mb_evaluation.nodes.markers import MarkersNode
from mb_evaluation.nodes.robot_description import RobotDescriptionNode
from mb_evaluation.robot import RobotDescription
from mb_evaluation.scene import MarkedPoints
from mb_interfaces.msg import (
    BodyContact,
    BodyContacts,
    EstimatorStatus,
    MechanismState,
    PayloadEstimate,
    SensorConsistency,
)
from mb_model import load_mechanism, point_positions
from mb_ros.node_bench import arguments_of
from mb_ros.qos import LATCHED_QOS, STREAM_QOS
from mb_ros.stamps import stamp
from mb_ros.states import mechanism_state

MECHANISM = load_mechanism('four_bar')
COVARIANCE = np.diag([1e-4, 1e-2])


class Bench:
    """Both nodes of a mechanism, and one that plays the simulations and listens."""

    def __init__(self, mechanism=MECHANISM):
        self._mechanism = mechanism
        self.now = 1_000_000_000
        self.markers, self.joints, self.descriptions = {}, [], []
        self.other = rclpy.create_node('other')
        self._executor = SingleThreadedExecutor()
        self._nodes = MarkersNode(), RobotDescriptionNode(), self.other
        for node in self._nodes:
            self._executor.add_node(node)
        self.buffer = Buffer(node=self.other)
        self._listener = TransformListener(self.buffer, self.other)
        self.other.create_subscription(MarkerArray, 'markers/markers', self._note, 10)
        self.other.create_subscription(JointState, 'robot_description/observer/joint_states',
                                       self.joints.append, 10)
        self.other.create_subscription(String, 'robot_description/urdf', self.descriptions.append,
                                       LATCHED_QOS)
        self._publishers = {
            topic: self.other.create_publisher(kind, topic, STREAM_QOS) for topic, kind in (
                ('prototype/state', MechanismState), ('model_simulation/state', MechanismState),
                ('estimator/state', MechanismState), ('estimator/status', EstimatorStatus),
                ('prototype/contacts', BodyContacts), ('prototype/obstacles', MarkerArray),
                ('payload_estimator/payload', PayloadEstimate))}

    def end(self):
        """Leave the ROS graph."""
        self._executor.shutdown()
        for node in self._nodes:
            node.destroy_node()

    def publish(self, topic, message, ago=0):
        """Publish with the stamp of some nanoseconds ago."""
        message.header.stamp = stamp(self.now - ago)
        message.header.frame_id = self._mechanism.name
        self._publishers[topic].publish(message)

    def state(self, topic, q, ago=0, **arrays):
        """Publish a state."""
        self.publish(topic, mechanism_state(self._mechanism, 0, q=q, **arrays), ago)

    def way(self, obstacles):
        """Publish markers of what is in the way."""
        self._publishers['prototype/obstacles'].publish(MarkerArray(markers=obstacles))

    def until(self, condition, act):
        """Act again and again until a condition holds."""
        deadline = time.monotonic() + 30.0
        while not condition():
            assert time.monotonic() < deadline, f'only {sorted(self.markers)}'
            self.now += 50_000_000
            act()
            for _ in range(20):
                self._executor.spin_once(timeout_sec=0.005)

    def _note(self, message):
        for marker in message.markers:
            self.markers.setdefault(marker.ns, {})[marker.id] = marker


@contextmanager
def bench_of(mechanism):
    """Give a Bench of a shipped mechanism, apart from other tests."""
    rclpy.init(args=arguments_of([f'mechanism:={mechanism.name}']))
    bench = Bench(mechanism)
    try:
        yield bench
    finally:
        bench.end()
        rclpy.shutdown()


@pytest.fixture
def bench():
    """Return a Bench of MECHANISM."""
    with bench_of(MECHANISM) as bench:
        yield bench


def test_markers_show_states_uncertainty_forces_contacts_and_status(bench):
    q = MECHANISM.assemble([2.0])
    contact = BodyContact(body='crank', point=Point(x=1.0, y=0.5), force=Vector3(x=3.0))

    obstacle = Marker(ns='prototype: obstacles', type=Marker.CYLINDER, scale=Vector3(
        x=0.2, y=0.2, z=0.5), color=ColorRGBA(a=0.8), pose=Pose(position=Point(x=1.0, y=0.7)))
    bench.way([obstacle])

    def act():
        bench.state('model_simulation/state', [1.0, 2.0])           # incomplete: left out
        bench.now += 50_000_000
        bench.state('model_simulation/state', MECHANISM.q0)
        bench.state('prototype/state', q)
        bench.state('estimator/state', q, covariance=COVARIANCE.ravel(), generalized_force=[-4.0])
        bench.publish('prototype/contacts', BodyContacts(contacts=[contact]))
        bench.publish('estimator/status', EstimatorStatus(
            estimator='error_ekf', nis=1.25, channels=['crank_encoder'],
            hypotheses=['touches', 'is free'], hypothesis_probabilities=[0.75, 0.25],
            consistency=[SensorConsistency(sensor='crank_encoder', verdict='too large')]))

        bench.publish('payload_estimator/payload', PayloadEstimate(
            parameter=['load'], mass=[50.24], deviation=[0.31]))

    wanted = {'prototype: links', 'model: links', 'observer: links', 'observer: joints',
              'observer: uncertainty', 'observer: forces', 'observer: amounts',
              'observer: status', 'observer: masses', 'prototype: contact force',
              'prototype: contact point', 'prototype: obstacles'}
    bench.until(lambda: wanted <= bench.markers.keys(), act)
    shown = bench.markers['prototype: obstacles'][0]
    assert (shown.pose, shown.scale) == (obstacle.pose, obstacle.scale)
    assert shown.header.frame_id == MECHANISM.name
    places = point_positions(MECHANISM, q)[0]
    bars = [m for m in bench.markers['observer: links'].values() if m.type == Marker.CUBE]
    assert [bar.scale.x for bar in bars] == pytest.approx([2.0, 8.0, 5.0])
    middle = bars[1].pose.position
    assert (middle.x, middle.y) == pytest.approx(places[[2, 3]].mean(axis=0))
    assert [(p.x, p.y) for p in bench.markers['observer: joints'][0].points] == [
        pytest.approx(place) for place in places]
    # The crank's end moves on a circle: its ellipse is 2 * 2.448 deviations of 0.01 rad * 2 m.
    ellipse = bench.markers['observer: uncertainty'][0]
    assert max(ellipse.scale.x, ellipse.scale.y, ellipse.scale.z) == pytest.approx(
        2.0 * 2.4477 * 0.01 * 2.0, rel=1e-3)
    assert bench.markers['observer: amounts'][0].text == '-4 N m'
    assert bench.markers['observer: status'][0].text == (
        'error_ekf: NIS 1.25, 1 channels\ntouches: probability 0.75\ninconsistent: crank_encoder')
    assert bench.markers['observer: masses'][0].text == 'load: 50.24 +- 0.31 kg'
    for of_one_kind in bench.markers.values():
        for marker in of_one_kind.values():
            assert marker.header.frame_id == 'four_bar'
            assert marker.color.a > 0.0
            assert marker.lifetime.sec == 1


def test_truth_is_drawn_at_the_instant_of_an_estimate_that_comes_late(bench):
    """Of a crank that turns steadily; no state of the truth has the stamp of an estimate."""
    def angle(ago):
        return 0.5 + 2e-9 * (bench.now - ago)

    def act():
        bench.state('prototype/state', MECHANISM.assemble([angle(0)]), z=[angle(0)], zd=[2.0],
                    zdd=[0.0])
        late = 113_000_000
        bench.state('estimator/state', MECHANISM.assemble([angle(late)]), ago=late)

    def cranks():
        return [bench.markers.get(f'{stream}: links', {}).get(0)
                for stream in ('prototype', 'observer')]

    def together():
        return all(cranks()) and cranks()[0].header.stamp == cranks()[1].header.stamp

    bench.until(together, act)
    truth, estimate = ([crank.pose.position.x, crank.pose.position.y] for crank in cranks())
    assert truth == pytest.approx(estimate, abs=1e-9)


def test_frames_close_the_loop_and_joints_have_their_values(bench):
    q = MECHANISM.assemble([2.0])
    qd = MECHANISM.velocity(q, [3.0])

    def known():
        return bench.joints and bench.descriptions and all(
            bench.buffer.can_transform('world', frame, Time())
            for frame in ('observer/crank', 'observer/coupler', 'observer/rocker', 'four_bar'))

    bench.until(known, lambda: bench.state('estimator/state', q, qd=qd))
    joints = dict(zip(bench.joints[-1].name, zip(
        bench.joints[-1].position, bench.joints[-1].velocity, strict=True), strict=True))
    assert joints['theta'] == pytest.approx((2.0, 3.0))
    assert set(joints) == {'theta', 'coupler_joint', 'rocker_joint'}
    root = ElementTree.fromstring(bench.descriptions[0].data)
    assert {joint.get('name') for joint in root.findall('joint')} == {
        *joints, 'world_to_four_bar'}
    places = dict(zip(MECHANISM.points, point_positions(MECHANISM, q)[0], strict=True))
    for link, local, point in (('crank', 2.0, 'P1'), ('coupler', 0.0, 'P1'),
                               ('coupler', 8.0, 'P2')):
        found = bench.buffer.lookup_transform('world', f'observer/{link}', Time())
        x, y = places[point]
        assert moved(found.transform, [local, 0.0, 0.0]) == pytest.approx([x, 0.0, y], abs=1e-9)
    rocker = bench.buffer.lookup_transform('observer/coupler', 'observer/rocker', Time())
    assert moved(rocker.transform, [0.0, 0.0, 0.0]) == pytest.approx(
        in_frame(places, 'P1', 'P2', 'B'), abs=1e-9)       # the rocker hangs on B in the tree


@pytest.mark.parametrize('name', ['stewart', 'excavator'])
def test_markers_joints_and_frames_in_space_are_published(name):
    mechanism = load_mechanism(name)
    rng, g = np.random.default_rng(1), mechanism.g
    zd = 0.1 * rng.normal(size=g)
    q = mechanism.assemble(mechanism.z0 + 0.05 * zd)
    qd = mechanism.velocity(q, zd)
    frame = next(f'observer/{name}' for name, body in mechanism.bodies.items() if not body.slender)
    with bench_of(mechanism) as bench:
        bench.until(
            lambda: (bench.joints and bench.descriptions and 'observer: uncertainty' in
                     bench.markers and bench.buffer.can_transform('world', frame, Time())),
            lambda: bench.state('estimator/state', q, qd=qd, z=np.zeros(g), zd=np.zeros(g),
                                zdd=np.zeros(g), covariance=(1e-4 * np.eye(g)).ravel(),
                                generalized_force=np.ones(g)))
    assert len(bench.markers['observer: uncertainty']) == len(MarkedPoints(mechanism))
    seen = sum(max(len(one.shapes), 1) for one in mechanism.bodies.values())
    assert len(bench.markers['observer: links']) >= seen
    assert {Marker.CUBE, Marker.CYLINDER} & {
        one.type for one in bench.markers['observer: links'].values()}
    assert 'observer: forces' in bench.markers
    robot = RobotDescription(mechanism)
    assert bench.descriptions[0].data == robot.urdf
    assert list(bench.joints[0].name) == robot.names
    np.testing.assert_array_equal(bench.joints[0].position, robot.read(q, qd)[0])


def moved(transform, place):
    """Return a place (3) moved by a Transform."""
    t, r = transform.translation, transform.rotation
    axis = np.array([r.x, r.y, r.z])
    turned = place + 2.0 * np.cross(axis, np.cross(axis, place) + r.w * np.array(place))
    return turned + np.array([t.x, t.y, t.z])


def in_frame(places, origin, along, point):
    """Return the place (3) of a point in the frame at another, x towards a third."""
    x = places[along] - places[origin]
    arm = ((places[point] - places[origin]) @ [1.0, 1j]) / (x @ [1.0, 1j]) * np.linalg.norm(x)
    return [arm.real, arm.imag, 0.0]
