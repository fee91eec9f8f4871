"""The frames of mechanisms in the world, for tf2."""

from geometry_msgs.msg import Quaternion, TransformStamped, Vector3
from tf2_ros import StaticTransformBroadcaster

from mb_evaluation.robot import WORLD, standing_quaternion


class StandingFrames:
    """Broadcasts how a mechanism stands in the world, under its name and any prefixes of it."""

    def __init__(self, node, mechanism, prefixes=()):
        """Broadcast; prefixes: such as 'observer/', of frames with a tree of their own."""
        stand = standing_quaternion(mechanism.gravity)
        found = [frame(WORLD, mechanism.name, quaternion=stand)]
        for prefix in prefixes:
            if prefix:
                found.append(frame(WORLD, prefix + WORLD))
                found.append(frame(prefix + WORLD, prefix + mechanism.name, quaternion=stand))
        self._broadcaster = StaticTransformBroadcaster(node)
        self._broadcaster.sendTransform(found)


def frame(parent, child, place=(0.0, 0.0, 0.0), quaternion=(0.0, 0.0, 0.0, 1.0)):
    """Return the TransformStamped of a frame in another; place [m]; quaternion: x, y, z, w."""
    message = TransformStamped(child_frame_id=child)
    message.header.frame_id = parent
    message.transform.translation = Vector3(x=place[0], y=place[1], z=place[2])
    x, y, z, w = quaternion
    message.transform.rotation = Quaternion(x=x, y=y, z=z, w=w)
    return message
