"""Frames, against scipy's rotations and by hand."""
import math

from geometry_msgs.msg import TransformStamped
import numpy as np
import pytest
from rclpy.duration import Duration
from rclpy.time import Time
from scipy.spatial.transform import Rotation
import tf2_ros


def stamped(parent, child, seconds, translation=(0, 0, 0), rotation=(0, 0, 0, 1)):
    message = TransformStamped(child_frame_id=child)
    message.header.frame_id = parent
    message.header.stamp = Time(nanoseconds=round(seconds * 1e9)).to_msg()
    t, q = message.transform.translation, message.transform.rotation
    t.x, t.y, t.z = map(float, translation)
    q.x, q.y, q.z, q.w = map(float, rotation)
    return message


def matrix(message):
    t, q = message.transform.translation, message.transform.rotation
    result = np.identity(4)
    result[:3, :3] = Rotation.from_quat([q.x, q.y, q.z, q.w]).as_matrix()
    result[:3, 3] = t.x, t.y, t.z
    return result


def at(seconds):
    return Time(nanoseconds=round(seconds * 1e9))


@pytest.fixture
def buffer():
    return tf2_ros.Buffer()


def test_chain_up_and_down(buffer):
    """world <- base <- arm, world <- camera: from the arm to the camera."""
    random = Rotation.random(3, random_state=1).as_quat()
    messages = [stamped('world', 'base', 1, (1, 2, 3), random[0]),
                stamped('base', 'arm', 1, (4, 5, 6), random[1]),
                stamped('world', 'camera', 1, (-1, 0, 2), random[2])]
    for message in messages:
        buffer.set_transform(message, 'test')
    base, arm, camera = map(matrix, messages)
    got = buffer.lookup_transform('camera', 'arm', at(1))
    np.testing.assert_allclose(matrix(got), np.linalg.inv(camera) @ base @ arm, atol=1e-12)
    assert (got.header.frame_id, got.child_frame_id) == ('camera', 'arm')


def test_between_two_times(buffer):
    """Straight, and turning at constant speed."""
    buffer.set_transform(stamped('a', 'b', 1, (0, 0, 0)), 'test')
    turned = Rotation.from_euler('z', 80, degrees=True).as_quat()
    buffer.set_transform(stamped('a', 'b', 2, (4, 0, 0), turned), 'test')
    got = matrix(buffer.lookup_transform('a', 'b', at(1.25)))
    np.testing.assert_allclose(got[:3, 3], (1, 0, 0))
    np.testing.assert_allclose(math.degrees(math.atan2(got[1, 0], got[0, 0])), 20)


def test_latest_time_that_all_know(buffer):
    """Time 0; frames that do not move do not count."""
    buffer.set_transform(stamped('a', 'b', 3), 'test')
    buffer.set_transform(stamped('b', 'c', 2), 'test')
    buffer.set_transform(stamped('b', 'c', 1), 'test')
    buffer.set_transform(stamped('a', 'b', 1), 'test')
    buffer.set_transform_static(stamped('c', 'tool', 0, (1, 0, 0)), 'test')
    got = buffer.lookup_transform('a', 'tool', Time())
    assert got.header.stamp.sec == 2
    assert got.transform.translation.x == 1.0


def test_what_is_not_known(buffer):
    """Each reason has its exception."""
    buffer.set_transform(stamped('a', 'b', 1), 'test')
    buffer.set_transform(stamped('a', 'b', 2), 'test')
    buffer.set_transform(stamped('x', 'y', 1), 'test')
    with pytest.raises(tf2_ros.LookupException, match='"nope" passed to lookupTransform'):
        buffer.lookup_transform('nope', 'b', Time())
    with pytest.raises(tf2_ros.ConnectivityException, match='not part of the same tree'):
        buffer.lookup_transform('x', 'b', at(1))
    with pytest.raises(tf2_ros.ExtrapolationException, match='into the future'):
        buffer.lookup_transform('a', 'b', at(2.5))
    with pytest.raises(tf2_ros.ExtrapolationException, match='into the past'):
        buffer.lookup_transform('a', 'b', at(0.5))
    with pytest.raises(tf2_ros.InvalidArgumentException):
        buffer.lookup_transform('/a', 'b', at(1))
    with pytest.raises(tf2_ros.InvalidArgumentException, match='unit quaternion'):
        buffer.set_transform(stamped('a', 'b', 1, rotation=(0, 0, 0, 0)), 'test')


def test_only_the_last_seconds_are_kept():
    """As long as the cache time."""
    buffer = tf2_ros.Buffer(cache_time=Duration(seconds=2))
    for second in range(1, 8):
        buffer.set_transform(stamped('a', 'b', second), 'test')
    assert buffer.can_transform('a', 'b', at(5))
    assert not buffer.can_transform('a', 'b', at(4.9))


def test_over_ros(make_node, spin_until):
    """Broadcasters, a late listener, and a transform that is waited for."""
    source = make_node('source')
    static = tf2_ros.StaticTransformBroadcaster(source)
    static.sendTransform(stamped('base', 'left', 0, (1, 0, 0)))
    static.sendTransform([stamped('base', 'right', 0, (-1, 0, 0))])
    moving = tf2_ros.TransformBroadcaster(source)
    sink = make_node('sink')
    buffer = tf2_ros.Buffer()
    listener = tf2_ros.TransformListener(buffer, sink)
    spin_until(lambda: buffer.can_transform('left', 'right', Time()), sink)
    spin_until(lambda: moving.pub_tf.get_subscription_count(), sink)
    assert not buffer.can_transform('world', 'left', Time())
    moving.sendTransform(stamped('world', 'base', 7, (0, 3, 0)))
    spin_until(lambda: buffer.can_transform('world', 'left', Time()), sink)
    got = buffer.lookup_transform('world', 'left', Time())
    np.testing.assert_allclose(matrix(got)[:3, 3], (1, 3, 0))
    listener.unregister()
