"""Recording a bag."""
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.logging import get_logger

from rosbag2_py.compression import (
    CompressionMode,
    CompressionOptions,
    compression_mode_from_string,
)
from rosbag2_py.keyboard import SPACE, Keyboard
from rosbag2_py.recorder_node import MOST_AT_ONCE, RecorderNode
from rosbag2_py.signals import StopOnSignal
from rosbag2_py.writer import BagWriter

POLL_PERIOD = 0.1       # [s] within which a signal is seen


class Recorder:
    """Records until SIGINT, SIGTERM or `cancel`."""

    def __init__(self):
        self._stop = StopOnSignal()

    def record(self, storage_options, record_options, node_name='rosbag2_recorder'):
        """Record into a new bag; whether it holds everything.

        Raises BagError if it cannot be created.
        """
        # Until it is closed: a second signal must not keep the bag from its metadata.
        with self._stop:
            writer = writer_for(record_options)
            writer.open(storage_options)
            context = Context()
            context.init()
            try:
                node = RecorderNode(node_name, writer, record_options, context)
                self._spin(node, context, record_options)
            finally:
                writer.close()
                complete = self._judge(writer, node_name)
                context.try_shutdown()
        return complete

    def _spin(self, node, context, options):
        executor = SingleThreadedExecutor(context=context)
        executor.add_node(node)
        keys = {} if options.disable_keyboard_controls else {SPACE: node.toggle_paused}
        with Keyboard(keys):
            if keys:
                node.get_logger().info('Press SPACE for pausing/resuming')
            node.get_logger().info('Recording...')
            while not self._stop.is_set():
                executor.spin_once(timeout_sec=POLL_PERIOD)
            while node.take_all() >= MOST_AT_ONCE:
                pass
        node.get_logger().info('Recording stopped')

    def _judge(self, writer, node_name):
        """Log what is missing from a closed bag; return whether nothing is."""
        logger = get_logger(node_name)
        if writer.lost:
            logger.error(f'{writer.lost} messages were not recorded.')
        if writer.problem:
            logger.error(f'The bag cannot be read as it is: {writer.problem}. '
                         '`ros2 bag reindex` mends it once there is room.')
        return not (writer.lost or writer.problem)

    def cancel(self):
        """End the recording, from another thread."""
        self._stop.set()


def writer_for(options):
    """The writer that RecordOptions ask for: without a format nothing is compressed."""
    mode = compression_mode_from_string(options.compression_mode)
    if not options.compression_format or mode is CompressionMode.NONE:
        return BagWriter()
    return BagWriter(CompressionOptions(options.compression_format, mode))
