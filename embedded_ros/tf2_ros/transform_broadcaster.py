"""Publishes frames that move."""
from rclpy.qos import QoSProfile
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
