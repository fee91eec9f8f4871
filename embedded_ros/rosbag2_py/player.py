"""Playing a bag."""
import threading

from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor

from rosbag2_py.keyboard import DOWN, RIGHT, SPACE, UP, Keyboard
from rosbag2_py.options import ConverterOptions, StorageFilter
from rosbag2_py.playback import Playback
from rosbag2_py.player_node import PlayerNode
from rosbag2_py.reader import SequentialReader, chosen_topics
from rosbag2_py.signals import StopOnSignal

NANOSECONDS = 10 ** 9
NO_END = 2 ** 63 - 1
POLL_PERIOD = 0.1       # [s] within which services, a signal or the end is seen
RATE_STEP = 1.1


class Player:
    """Plays to the end, or until SIGINT, SIGTERM or `cancel`."""

    def __init__(self):
        self._stop = StopOnSignal()

    def play(self, storage_options, play_options):
        """Play a bag.  Raises BagError if it cannot be read."""
        self._run(storage_options, play_options, lambda playback: playback.run(play_options.loop))

    def burst(self, storage_options, play_options, num_messages):
        """Publish so many messages (0: all) as fast as can be."""
        play_options.start_paused = True

        def run(playback):
            runner = threading.Thread(target=playback.run, daemon=True)
            runner.start()
            playback.step(num_messages or NO_END, timeout=None)
            playback.stop()
            runner.join()
        self._run(storage_options, play_options, run)

    def cancel(self):
        """End playing, from another thread."""
        self._stop.set()

    def _run(self, storage_options, options, play):
        reader = SequentialReader()
        reader.open(storage_options, ConverterOptions())
        choice = StorageFilter(
            topics=options.topics_to_filter, regex=options.regex_to_filter,
            exclude_topics=options.exclude_topics_to_filter,
            regex_to_exclude=options.exclude_regex_to_filter)
        reader.set_filter(choice)
        context = Context()
        context.init()
        try:
            node = PlayerNode(chosen_topics(reader, choice), options, context)
            start, end = time_range(reader.get_metadata(), options)
            playback = Playback(
                reader, node.publish, start, end, options.rate, options.start_paused
            )
            node.start(playback)
            node.get_logger().info(f'Set rate to {options.rate:.6g}')
            with self._stop, Keyboard(key_handlers(node, options)):
                self._spin(node, context, lambda: self._wait_and_play(playback, options, play))
            node.wait_for_all_acked()
            node.say_damaged()
        finally:
            context.try_shutdown()
            reader.close()

    def _wait_and_play(self, playback, options, play):
        if options.delay > 0:
            self._stop.wait(options.delay)
        play(playback)

    def _spin(self, node, context, play):
        """Serve the node until `play` (in a thread of its own) has ended; raise what it raised."""
        errors = []

        def guarded():
            try:
                play()
            except Exception as error:      # shown by the main thread
                errors.append(error)
        executor = SingleThreadedExecutor(context=context)
        executor.add_node(node)
        thread = threading.Thread(target=guarded)
        thread.start()
        while thread.is_alive():
            executor.spin_once(timeout_sec=POLL_PERIOD)
            if self._stop.is_set():
                node.playback.stop()
        if errors:
            raise errors[0]


def time_range(metadata, options):
    """First and last bag time [ns] to be played."""
    start = metadata.starting_time_ns + round(options.start_offset * NANOSECONDS)
    ends = [metadata.starting_time_ns + metadata.duration_ns]
    if options.playback_duration >= 0:
        ends.append(start + round(options.playback_duration * NANOSECONDS))
    if options.playback_until_timestamp >= 0:
        ends.append(options.playback_until_timestamp)
    return start, min(ends)


def key_handlers(node, options):
    """What the keys of the terminal do."""
    if options.disable_keyboard_controls:
        return {}
    node.get_logger().info('Adding keyboard callbacks.')
    node.get_logger().info('Press SPACE for Pause/Resume')
    node.get_logger().info('Press CURSOR_RIGHT for Play Next Message')
    node.get_logger().info('Press CURSOR_UP for Increase Rate 10%')
    node.get_logger().info('Press CURSOR_DOWN for Decrease Rate 10%')
    return {SPACE: node.toggle_paused, RIGHT: node.play_next,
            UP: lambda: node.change_rate(RATE_STEP), DOWN: lambda: node.change_rate(1 / RATE_STEP)}
