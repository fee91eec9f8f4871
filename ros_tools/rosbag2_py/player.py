"""Playing a bag."""
import threading

from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from ros_tools.discovery import wait_for_discovery

from rosbag2_py.options import ConverterOptions, StorageFilter
from rosbag2_py.playback import Playback
from rosbag2_py.player_node import PlayerNode
from rosbag2_py.reader import SequentialReader
from rosbag2_py.signals import StopOnSignal

NANOSECONDS = 10 ** 9
DISCOVERY_TIME = 1.0    # [s] at least
POLL_PERIOD = 0.1       # [s] within which services, a signal or the end is seen


class Player:
    """Plays to the end, or until SIGINT, SIGTERM or `cancel`."""

    def __init__(self):
        self._stop = StopOnSignal()

    def cancel(self):
        """End playing, from another thread."""
        self._stop.set()

    def play(self, storage_options, options):
        """Play a bag.  Raises BagError if it cannot be read."""
        reader = SequentialReader()
        reader.open(storage_options, ConverterOptions())
        choice = StorageFilter(options.topics_to_filter, options.exclude_topics_to_filter)
        reader.set_filter(choice)
        context = Context()
        context.init()
        try:
            node = PlayerNode([topic for topic in reader.get_all_topics_and_types()
                               if choice.lets_through(topic.name)], options, context)
            metadata = reader.get_metadata()
            start = metadata.starting_time_ns + round(options.start_offset * NANOSECONDS)
            with self._stop:
                wait_for_discovery(node, DISCOVERY_TIME)    # else the first messages may be lost
                node.start(Playback(reader, node.publish, start,
                                    metadata.starting_time_ns + metadata.duration_ns,
                                    options.rate, options.start_paused))
                node.get_logger().info(f'Set rate to {options.rate:.6g}')
                self._spin(node, context, options)
            node.wait_for_all_acked()
            node.say_damaged()
        finally:
            context.try_shutdown()
            reader.close()

    def _spin(self, node, context, options):
        """Serve the node until it is played (in a thread of its own); raise what that raised."""
        errors = []

        def play():
            try:
                self._stop.wait(options.delay)
                node.playback.run(options.loop)
            except Exception as error:      # shown by the main thread
                errors.append(error)
        executor = SingleThreadedExecutor(context=context)
        executor.add_node(node)
        thread = threading.Thread(target=play)
        thread.start()
        while thread.is_alive():
            executor.spin_once(timeout_sec=POLL_PERIOD)
            if self._stop.is_set():
                node.playback.stop()
        if errors:
            raise errors[0]
