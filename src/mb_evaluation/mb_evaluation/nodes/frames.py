"""The frames of mechanisms in the world, for tf2."""

from collections.abc import Iterable, Sequence

from geometry_msgs.msg import Quaternion, TransformStamped, Vector3
from rclpy.node import Node
from tf2_ros import StaticTransformBroadcaster

from mb_evaluation.robot import standing_quaternion
from mb_import import WORLD
from mb_model import Mechanism


class StandingFrames:
    """Broadcasts how a mechanism stands in the world, under its name and any prefixes of it."""

    def __init__(self, node: Node, mechanism: Mechanism, prefixes: Iterable[str] = ()):
        """Broadcast; prefixes: such as 'observer/', of frames with a tree of their own."""
        stand = standing_quaternion(mechanism.gravity)
        frames = [frame(WORLD, mechanism.name, quaternion=stand)]
        for prefix in prefixes:
            if prefix:
                frames.append(frame(WORLD, prefix + WORLD))
                frames.append(frame(prefix + WORLD, prefix + mechanism.name, quaternion=stand))
        self._broadcaster = StaticTransformBroadcaster(node)
        self._broadcaster.sendTransform(frames)


def frame(parent: str, child: str, position: Sequence[float] = (0.0, 0.0, 0.0),
          quaternion: Sequence[float] = (0.0, 0.0, 0.0, 1.0)) -> TransformStamped:
    """Return the TransformStamped of a frame in another; position [m]; quaternion: x, y, z, w."""
    message = TransformStamped(child_frame_id=child)
    message.header.frame_id = parent
    message.transform.translation = Vector3(x=position[0], y=position[1], z=position[2])
    x, y, z, w = quaternion
    message.transform.rotation = Quaternion(x=x, y=y, z=z, w=w)
    return message
