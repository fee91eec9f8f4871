"""What viewers get of machines in space: markers, joints, frames and the robot's description."""

import time
from xml.etree import ElementTree

import numpy as np
import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.time import Time
from scipy.spatial.transform import Rotation
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_ros import Buffer, TransformListener
from visualization_msgs.msg import Marker, MarkerArray

from mb_evaluation.nodes.markers import MarkersNode
from mb_evaluation.nodes.robot_description import RobotDescriptionNode
from mb_evaluation.robot import robot_tree
from mb_evaluation.scene import MarkedPoints
from mb_evaluation.urdf import RobotDescription
from mb_interfaces.msg import MechanismState
from mb_model import load_mechanism, mechanism_names
from mb_model.space_api import body_poses
from mb_ros.node_bench import arguments_of
from mb_ros.qos import LATCHED_QOS, STREAM_QOS
from mb_ros.states import mechanism_state

MACHINES = [name for name in mechanism_names() if load_mechanism(name).dimension == 3]
NOW = 1_000_000_000


def moved(mechanism):
    """Return q of a mechanism near its start, and qd."""
    rng = np.random.default_rng(1)
    zd = 0.1 * rng.normal(size=mechanism.g)
    q = mechanism.assemble(mechanism.z0 + 0.05 * zd)
    return q, mechanism.velocity(q, zd)


@pytest.mark.parametrize('name', MACHINES)
def test_frames_of_the_tree_are_where_bodies_are(name):
    """Along joints from the ground: also where loops are cut."""
    mechanism = load_mechanism(name)
    robot, (q, qd) = RobotDescription(mechanism), moved(mechanism)
    positions, velocities = robot.reader.read(q, qd)
    later, _ = robot.reader.read(q + 1e-5 * qd, qd)
    turn = (later - positions + np.pi) % (2.0 * np.pi) - np.pi
    np.testing.assert_allclose(velocities, turn / 1e-5, atol=1e-2)
    values = dict(zip((joint.name for joint in robot.moving), positions, strict=True))
    frames = {mechanism.name: (np.zeros(3), np.eye(3))}
    for joint in robot.joints:
        place, quaternion = joint.transform(values.get(joint.name, 0.0))
        at, axes = frames[joint.parent]
        frames[joint.child] = (at + axes @ place,
                               axes @ Rotation.from_quat(quaternion).as_matrix())
    poses = body_poses(mechanism, q)
    for link in robot_tree(mechanism).links:
        if link.body:
            (origin,), (axes,) = poses[link.body]
            np.testing.assert_allclose(frames[link.name][0], origin + axes @ link.origin,
                                       atol=1e-8)
            if not mechanism.bodies[link.body].slender:
                np.testing.assert_allclose(frames[link.name][1], axes @ link.axes, atol=1e-8)
    root = ElementTree.fromstring(robot.urdf)
    assert {one.get('name') for one in root.findall('joint')} >= set(values)
    assert not root.findall('joint/mimic')


@pytest.mark.parametrize('name', ['stewart', 'excavator'])
def test_markers_joints_and_frames_are_published(name):
    mechanism = load_mechanism(name)
    rclpy.init(args=arguments_of([f'mechanism:={name}']))
    nodes = MarkersNode(), RobotDescriptionNode(), rclpy.create_node('other')
    executor, other = SingleThreadedExecutor(), nodes[-1]
    for node in nodes:
        executor.add_node(node)
    markers, joints, texts = {}, [], []
    buffer = Buffer(node=other)
    listener = TransformListener(buffer, other)

    def note(message):
        for marker in message.markers:
            markers.setdefault(marker.ns, {})[marker.id] = marker

    other.create_subscription(MarkerArray, 'markers/markers', note, 10)
    other.create_subscription(JointState, 'robot_description/observer/joint_states', joints.append,
                              10)
    other.create_subscription(String, 'robot_description/urdf', texts.append, LATCHED_QOS)
    states = other.create_publisher(MechanismState, 'estimator/state', STREAM_QOS)
    q, qd = moved(mechanism)
    body = next(name for name, one in mechanism.bodies.items() if not one.slender)
    frame, now = f'observer/{body}', NOW
    until = time.monotonic() + 40.0
    try:
        while not (joints and texts and 'observer: uncertainty' in markers
                   and buffer.can_transform('world', frame, Time())):
            assert time.monotonic() < until, sorted(markers)
            now += 50_000_000
            states.publish(mechanism_state(
                mechanism, now, z=np.zeros(mechanism.g), zd=np.zeros(mechanism.g),
                zdd=np.zeros(mechanism.g), q=q, qd=qd, covariance=1e-4 * np.eye(mechanism.g),
                generalized_force=np.ones(mechanism.g)))
            for _ in range(20):
                executor.spin_once(timeout_sec=0.005)
        assert len(markers['observer: uncertainty']) == len(MarkedPoints(mechanism))
        seen = sum(max(len(one.shapes), 1) for one in mechanism.bodies.values())
        assert len(markers['observer: links']) >= seen
        assert {Marker.CUBE, Marker.CYLINDER} & {one.type for one in
                                                 markers['observer: links'].values()}
        assert 'observer: forces' in markers
        robot = RobotDescription(mechanism)
        assert texts[0].data == robot.urdf
        assert list(joints[0].name) == [joint.name for joint in robot.moving]
        np.testing.assert_array_equal(joints[0].position, robot.reader.read(q, qd)[0])
    finally:
        del listener
        executor.shutdown()
        for node in nodes:
            node.destroy_node()
        rclpy.shutdown()
