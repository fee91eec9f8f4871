"""Publish frames."""
from rclpy.qos import DurabilityPolicy, QoSProfile
from tf2_msgs.msg import TFMessage

DEPTH = 100


def as_list(transform):
    """A list of one or several transforms."""
    return list(transform) if hasattr(transform, '__iter__') else [transform]


class TransformBroadcaster:
    """Publishes transforms on /tf."""

    def __init__(self, node, qos=None):
        self.pub_tf = node.create_publisher(TFMessage, '/tf', qos or QoSProfile(depth=DEPTH))

    def sendTransform(self, transform):
        """Publish a TransformStamped, or a list of them."""
        self.pub_tf.publish(TFMessage(transforms=as_list(transform)))


class StaticTransformBroadcaster:
    """Publishes transforms on /tf_static, where late listeners get them too."""

    def __init__(self, node, qos=None):
        profile = qos or QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.pub_tf = node.create_publisher(TFMessage, '/tf_static', profile)
        self._transforms = {}       # child frame -> transform

    def sendTransform(self, transform):
        """Publish a TransformStamped, or a list of them, with all that were sent before."""
        for item in as_list(transform):
            self._transforms[item.child_frame_id] = item
        self.pub_tf.publish(TFMessage(transforms=list(self._transforms.values())))
