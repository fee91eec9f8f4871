"""Spin a node in the background."""
import threading

from rclpy.executors import SingleThreadedExecutor


class MessagePump:
    """Spins a node in a thread, between start() and stop()."""

    def __init__(self, node, timeout=10, context=None):
        self._node = node
        self._timeout = timeout
        self._context = context
        self._running = False
        self._executor = None
        self._thread = None

    def start(self):
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        self._running = True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self):
        """End the thread; an Exception if it does not within the timeout."""
        self._running = False
        self._executor.wake()
        self._thread.join(timeout=self._timeout)
        if self._thread.is_alive():
            raise Exception('Timed out waiting for message pump to stop')
        self._executor.remove_node(self._node)
        self._executor.shutdown()

    def _run(self):
        while self._running:
            self._executor.spin_once(timeout_sec=1)
