"""One message of a topic, without a callback."""
import time

from embedded_ros.dds.waitset import WaitSet

from rclpy.qos import QoSProfile

_FOREVER = 2**63 - 1  # [ns]


def wait_for_message(msg_type, node, topic, *, qos_profile=1, time_to_wait=-1):
    """Wait for the next message: (True, message), or (False, None) after the time [s].

    The node need not be spun. With a negative time it waits until the context is shut down.
    """
    if isinstance(qos_profile, int):
        qos_profile = QoSProfile(depth=qos_profile)
    received = []
    waiter = WaitSet(node.context.participant)
    node.context.add_waker(waiter)

    def take_over(message):  # an executor that spins the node may come first
        received.append(message)
        waiter.wake()

    subscription = node.create_subscription(msg_type, topic, take_over, qos_profile)
    try:
        end = None if time_to_wait < 0 else time.monotonic_ns() + int(time_to_wait * 1e9)
        return _next_message(subscription, received, waiter, node.context, end)
    finally:
        node.destroy_subscription(subscription)
        waiter.close()


def _next_message(subscription, received, waiter, context, end):
    conditions = frozenset((subscription.handle.middleware.condition,))
    while context.ok():
        taken = (received[0],) if received else subscription.take()
        if taken is not None:
            return True, taken[0]
        remaining = _FOREVER if end is None else end - time.monotonic_ns()
        if remaining <= 0:
            break
        waiter.wait(conditions, remaining)
    return False, None
