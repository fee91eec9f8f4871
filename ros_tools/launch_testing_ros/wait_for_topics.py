"""Wait for messages."""
from collections import deque
from contextlib import suppress
import threading

import rclpy
from rclpy.context import Context
from rclpy.executors import ExternalShutdownException, ShutdownException, SingleThreadedExecutor


class WaitForTopics:
    """Waits until each of some topics has brought a message.

    topic_tuples: pairs (name, message class) or triples with a QoS profile; timeout [s];
    trigger(node): is called before waiting, with the node that listens.  As a context manager it
    waits at once, and raises a RuntimeError that names the silent topics.
    """

    def __init__(self, topic_tuples, timeout=5.0, messages_received_buffer_length=10,
                 trigger=None, node_namespace=None):
        if trigger is not None and not callable(trigger):
            raise TypeError('The passed trigger is not callable')
        self.topic_tuples = [(*item, 10)[:3] for item in topic_tuples]
        self.timeout = timeout
        self._trigger = trigger
        self._changed = threading.Condition()
        self._messages = {item[0]: deque(maxlen=messages_received_buffer_length)
                          for item in self.topic_tuples}
        self._received = set()
        self._context = Context()
        rclpy.init(context=self._context)
        self._node = rclpy.create_node('wait_for_topics_node', context=self._context,
                                       namespace=node_namespace)
        for topic, message_class, qos in self.topic_tuples:
            self._node.create_subscription(
                message_class, topic, self._listener(topic), qos)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        self._thread = threading.Thread(target=self._spin, daemon=True)
        self._thread.start()

    def _listener(self, topic):
        def on_message(message):
            with self._changed:
                self._messages[topic].append(message)
                self._received.add(topic)
                self._changed.notify_all()
        return on_message

    def _spin(self):
        with suppress(ExternalShutdownException, ShutdownException):    # by shutdown()
            self._executor.spin()

    def wait(self):
        """Return whether all topics have brought a message before the timeout."""
        if self._trigger is not None:
            self._trigger(self._node)
        with self._changed:
            return self._changed.wait_for(
                lambda: len(self._received) == len(self._messages), timeout=self.timeout)

    def topics_received(self):
        """Return the names of the topics that have brought a message."""
        with self._changed:
            return set(self._received)

    def topics_not_received(self):
        """Return the names of the topics that have not."""
        with self._changed:
            return set(self._messages) - self._received

    def received_messages(self, topic_name):
        """Return the last messages of a topic; a KeyError if it was not asked for."""
        if topic_name not in self._messages:
            raise KeyError('No topic exists with that name')
        with self._changed:
            return list(self._messages[topic_name])

    def shutdown(self):
        """Stop to listen."""
        if not self._context.ok():
            return
        rclpy.shutdown(context=self._context)
        self._executor.shutdown()
        self._thread.join(timeout=5)
        self._node.destroy_node()

    def __enter__(self):
        if not self.wait():
            silent = ', '.join(sorted(self.topics_not_received()))
            self.shutdown()
            raise RuntimeError(f'Did not receive messages on these topics: {silent}')
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        self.shutdown()
