"""Publishers of managed nodes."""
from rclpy.lifecycle.managed_entity import SimpleManagedEntity
from rclpy.publisher import Publisher


class LifecyclePublisher(SimpleManagedEntity, Publisher):
    """Publishes while its node is active only."""

    def __init__(self, *args, **kwargs):
        SimpleManagedEntity.__init__(self)
        Publisher.__init__(self, *args, **kwargs)

    def publish(self, msg):
        if self._enabled:
            Publisher.publish(self, msg)
