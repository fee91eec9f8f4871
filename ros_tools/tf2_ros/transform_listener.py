"""Fills a buffer with what is broadcast."""
import contextlib
import threading

from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile
from tf2_msgs.msg import TFMessage

DEPTH = 100
AUTHORITY = 'default_authority'


class TransformListener:
    """Listens to /tf and /tf_static; with `spin_thread` the node is spun in a thread of its own."""

    def __init__(self, buffer, node, *, spin_thread=False, qos=None, static_qos=None,
                 static_only=False):
        self.buffer, self.node = buffer, node
        self.group = ReentrantCallbackGroup()
        self.tf_sub = None
        if not static_only:
            self.tf_sub = node.create_subscription(
                TFMessage, '/tf', self.callback, qos or QoSProfile(depth=DEPTH),
                callback_group=self.group)
        latched = QoSProfile(depth=DEPTH, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.tf_static_sub = node.create_subscription(
            TFMessage, '/tf_static', self.static_callback, static_qos or latched,
            callback_group=self.group)
        self.executor = self.dedicated_listener_thread = None
        if spin_thread:
            self.executor = SingleThreadedExecutor(context=node.context)
            self.executor.add_node(node)
            self.dedicated_listener_thread = threading.Thread(target=self._spin, daemon=True)
            self.dedicated_listener_thread.start()

    def _spin(self):
        with contextlib.suppress(ExternalShutdownException):
            self.executor.spin()

    def unregister(self):
        """Listen no more."""
        if self.executor:
            self.executor.shutdown()
        for subscription in filter(None, (self.tf_sub, self.tf_static_sub)):
            self.node.destroy_subscription(subscription)

    def callback(self, data):
        """Take what moves."""
        for transform in data.transforms:
            self.buffer.set_transform(transform, AUTHORITY)

    def static_callback(self, data):
        """Take what does not move."""
        for transform in data.transforms:
            self.buffer.set_transform_static(transform, AUTHORITY)
