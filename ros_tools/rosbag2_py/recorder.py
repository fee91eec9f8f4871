"""Recording a bag."""
import time

from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.logging import get_logger

from rosbag2_py.compression import (
    CompressionMode,
    CompressionOptions,
    compression_mode_from_string,
)
from rosbag2_py.recorder_node import MOST_AT_ONCE, RecorderNode
from rosbag2_py.signals import StopOnSignal
from rosbag2_py.writer import BagWriter

POLL_PERIOD = 0.01      # [s] between two looks at what has arrived
GRAPH_PERIOD = 0.1      # [s] between two looks at the graph, and at what the middleware reports


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
                self._spin(RecorderNode(node_name, writer, record_options, context), context)
            finally:
                writer.close()
                complete = self._judge(writer, node_name)
                context.try_shutdown()
        return complete

    def _spin(self, node, context):
        executor = SingleThreadedExecutor(context=context)
        executor.add_node(node)
        node.get_logger().info('Recording...')
        looked = time.monotonic()
        while not self._stop.wait(POLL_PERIOD):
            node.take_all()
            if time.monotonic() - looked > GRAPH_PERIOD:
                looked = time.monotonic()
                node.discover()
                executor.spin_once(timeout_sec=0.0)     # which may warn of a QoS that does not fit
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
