"""Playing a bag: publishers as recorded, /clock, and services to steer it."""
from functools import partial
import threading

from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.context import Context
from rclpy.duration import Duration
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from rclpy.time import Time
from ros_tools.discovery import wait_for_discovery
from rosbag2_interfaces import srv
from rosgraph_msgs.msg import Clock as ClockMessage
from rosidl_runtime_py.utilities import get_message

from rosbag2_py.options import ConverterOptions, StorageFilter
from rosbag2_py.playback import Playback
from rosbag2_py.qos import qos_for_playing
from rosbag2_py.reader import SequentialReader
from rosbag2_py.signals import StopOnSignal

NANOSECONDS = 10 ** 9
DISCOVERY_TIME = 1.0    # [s] at least
POLL_PERIOD = 0.1       # [s] within which services, a signal or the end is seen
NAME = 'rosbag2_player'
ACKNOWLEDGE_TIMEOUT = 1.0       # [s]


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
                # Else the first messages may be lost.
                wait_for_discovery(node, DISCOVERY_TIME, self._stop.wait)
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
                if not self._stop.wait(options.delay):
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


class PlayerNode(Node):
    """Publishes what a Playback hands over."""

    def __init__(self, topics, options, context):
        arguments = [word for rule in options.topic_remapping_options for word in ('-r', rule)]
        super().__init__(NAME, context=context, start_parameter_services=False,
                         cli_args=['--ros-args', *arguments] if arguments else None)
        self.playback = None
        self._options = options
        self._damaged = {}          # topic -> messages that were left out
        self._publishers_by_topic = {}
        for topic in topics:
            self._create_publisher(topic)
        self._clock_publisher = None
        if options.clock_publish_frequency > 0:
            self._clock_publisher = self.create_publisher(
                ClockMessage,
                '/clock',
                QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT),
            )

    def _create_publisher(self, topic):
        qos = (self._options.topic_qos_profile_overrides.get(topic.name)
               or qos_for_playing(topic.offered_qos_profiles))
        try:
            self._publishers_by_topic[topic.name] = self.create_publisher(
                get_message(topic.type), topic.name, qos)
        except Exception as error:      # of names, types, QoS: there is no end of kinds
            reason = ' '.join(str(error).split())
            self.get_logger().warning(
                f'Topic {topic.name!r} of type {topic.type!r} is not played: {reason}')

    def publish(self, topic, data):
        """Publish a serialized message.

        What is no message of the topic's type is left out.
        """
        publisher = self._publishers_by_topic.get(topic)
        if publisher is None or not self._is_sound(publisher, topic, data):
            return
        publisher.publish(data)

    def _is_sound(self, publisher, topic, data):
        """Whether it is a message; the first of a topic that is none is said at once."""
        try:
            deserialize_message(data, publisher.msg_type)
            return True
        except Exception as error:      # rclpy does not say which
            self._damaged[topic] = self._damaged.get(topic, 0) + 1
            if self._damaged[topic] == 1:
                self.get_logger().warning(f"A message on '{topic}' is damaged and left out: "
                                          f'{error}')
            return False

    def say_damaged(self):
        """Say how many messages were left out."""
        for topic, count in self._damaged.items():
            self.get_logger().warning(f"{count} damaged messages on '{topic}' were left out")

    def publish_clock(self):
        """Publish the bag's time now."""
        self._clock_publisher.publish(
            ClockMessage(clock=Time(nanoseconds=self.playback.now()).to_msg()))

    def wait_for_all_acked(self):
        """Wait a little until reliable subscribers have it all."""
        for publisher in self._publishers_by_topic.values():
            publisher.wait_for_all_acked(Duration(seconds=ACKNOWLEDGE_TIMEOUT))

    def start(self, playback):
        """Offer the services and run /clock."""
        self.playback = playback
        if self._options.clock_publish_frequency > 0:
            self.create_timer(1 / self._options.clock_publish_frequency, self.publish_clock,
                              clock=Clock(clock_type=ClockType.STEADY_TIME))
        for name, (kind, answer) in SERVICES.items():
            self.create_service(kind, f'~/{name}', partial(self._on_request, answer))

    def _on_request(self, answer, request, response):
        for field, value in (answer(self, request) or {}).items():
            setattr(response, field, value)
        return response

    def set_paused(self, paused):
        """Pause or go on."""
        self.playback.set_paused(paused)
        self.get_logger().info('Pausing play.' if paused else 'Resuming play.')


# What each does with a PlayerNode and a request, and the fields of its response.
SERVICES = {
    'pause': (srv.Pause, lambda node, _: node.set_paused(True)),
    'resume': (srv.Resume, lambda node, _: node.set_paused(False)),
    'toggle_paused': (srv.TogglePaused, lambda node, _: node.set_paused(not node.playback.paused)),
    'is_paused': (srv.IsPaused, lambda node, _: {'paused': node.playback.paused}),
    'get_rate': (srv.GetRate, lambda node, _: {'rate': node.playback.rate}),
    'set_rate': (srv.SetRate, lambda node, asked: {'success': node.playback.set_rate(asked.rate)}),
    'play': (srv.Play, lambda node, _: {'success': False}),        # it is played already
    'play_next': (srv.PlayNext, lambda node, _: {'success': node.playback.step(1) == 1}),
    'burst': (srv.Burst, lambda node, asked: {
        'actually_burst': node.playback.step(asked.num_messages)}),
    'seek': (srv.Seek, lambda node, asked: {
        'success': node.playback.seek(Time.from_msg(asked.time).nanoseconds) is None}),
    'stop': (srv.Stop, lambda node, _: node.playback.stop())}
