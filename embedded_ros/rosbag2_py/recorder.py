"""Recording a bag."""
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor

from rosbag2_py.keyboard import SPACE, Keyboard
from rosbag2_py.recorder_node import RecorderNode
from rosbag2_py.signals import StopOnSignal
from rosbag2_py.writer import SequentialWriter

POLL_PERIOD = 0.1       # [s] within which a signal is seen


class Recorder:
    """Records until SIGINT, SIGTERM or `cancel`."""

    def __init__(self):
        self._stop = StopOnSignal()

    def record(self, storage_options, record_options, node_name='rosbag2_recorder'):
        """Record into a new bag.  Raises BagError if it cannot be created."""
        writer = SequentialWriter()
        writer.open(storage_options)
        context = Context()
        context.init()
        try:
            node = RecorderNode(node_name, writer, record_options, context)
            self._spin(node, context, record_options)
        finally:
            writer.close()
            context.try_shutdown()

    def _spin(self, node, context, options):
        executor = SingleThreadedExecutor(context=context)
        executor.add_node(node)
        keys = {} if options.disable_keyboard_controls else {SPACE: node.toggle_paused}
        with self._stop, Keyboard(keys):
            if keys:
                node.get_logger().info('Press SPACE for pausing/resuming')
            node.get_logger().info('Recording...')
            while not self._stop.is_set():
                executor.spin_once(timeout_sec=POLL_PERIOD)
            node.take_all()
        node.get_logger().info('Recording stopped')

    def cancel(self):
        """End the recording, from another thread."""
        self._stop.set()
