"""Recording a bag: a node that subscribes to what is chosen, and writes what arrives."""
from collections import defaultdict, deque
import time

from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.logging import get_logger
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.topic_or_service_is_hidden import topic_or_service_is_hidden
from rosidl_runtime_py.utilities import get_message

from rosbag2_py.compression import (
    CompressionMode,
    CompressionOptions,
    compression_mode_from_string,
)
from rosbag2_py.metadata import TopicMetadata
from rosbag2_py.qos import qos_for_recording
from rosbag2_py.signals import StopOnSignal
from rosbag2_py.writer import BagWriter

POLL_PERIOD = 0.01      # [s] between two looks at what has arrived
GRAPH_PERIOD = 0.1      # [s] between two looks at the graph, and at what the middleware reports
MOST_AT_ONCE = 5000         # messages of a topic that are taken at one look
COMPLAINT_PERIOD = 5.0      # [s] between two words about messages that are left out
REMEMBERED = 5000           # messages of a topic that are remembered: what a publisher may keep


class Recorder:
    """Records until SIGINT, SIGTERM or `cancel`."""

    def __init__(self, *, afterwards=None):
        """Set up; afterwards: handler of both signals once the bag is closed, default: as before.
        """
        self._stop = StopOnSignal(afterwards)

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


def taken(subscription):
    """(bytes, info) of messages that wait at a subscription, MOST_AT_ONCE at most."""
    with subscription.handle:
        for _ in range(MOST_AT_ONCE):
            found = subscription.handle.take_message(subscription.msg_type, subscription.raw)
            if found is None:
                return
            yield found


class RecordedOnce:
    """Finds which messages of a topic are new, by the time of sending and what they say.

    Some are delivered twice, after processes have lost and found one another.
    """

    def __init__(self):
        self._known, self._order = set(), deque()

    def is_new(self, sent, data):
        """Whether a message (bytes) that was sent at a time [ns] has not come before."""
        key = hash((sent, data))        # a tuple would take three times the memory
        if key in self._known:
            return False
        self._known.add(key)
        self._order.append(key)
        if len(self._order) > REMEMBERED:
            self._known.discard(self._order.popleft())
        return True


class Complaints:
    """Logs the problems of a writer: once, and when they are over."""

    def __init__(self, writer, logger):
        self._writer, self._logger = writer, logger
        self._problem, self._lost, self._said = '', 0, 0.0

    def look(self):
        """Log what has changed."""
        writer, now = self._writer, time.monotonic()
        if writer.problem and not self._problem:
            self._logger.error(f'The bag cannot be written: {writer.problem}. '
                               'Messages wait in memory.')
        elif self._problem and not writer.problem:
            self._logger.info('The bag is written again.')
        self._problem = writer.problem
        if writer.lost > self._lost and now - self._said > COMPLAINT_PERIOD:
            self._said, self._lost = now, writer.lost
            self._logger.error(f'{writer.lost} messages were not recorded.')


class RecorderNode(Node):
    """Writes messages with the time of their arrival.

    Queues are looked at now and then instead of at every message. What came in between is written
    in the order in which it was sent, whatever the topic, and it arrives when it was
    sent, as far as that lies between the two looks.  No executor waits for the subscriptions: with
    a bag's topics, a wake costs more than a hundred messages.
    """

    def __init__(self, name, writer, options, context):
        super().__init__(name, context=context, start_parameter_services=False,
                         parameter_overrides=[Parameter('start_type_description_service',
                                                        value=False)])
        self._writer, self._options = writer, options
        self._complaints = Complaints(writer, self.get_logger())
        self._topics = {self.resolve_topic_name(topic) for topic in options.topics}
        self._recorded = {}         # topic -> subscription
        self._once = defaultdict(RecordedOnce)      # by topic
        self._warned = set()
        self._complete = False      # whether all that was asked for is subscribed
        self.get_logger().info('Listening for topics...')
        self.discover()
        self._looked = time.time_ns()       # nothing came before there were subscriptions

    @property
    def subscriptions(self):
        """Subscriptions that executors wait for: not the recorded ones."""
        recorded = set(self._recorded.values())
        return (one for one in super().subscriptions if one not in recorded)

    def discover(self):
        """Subscribe to chosen topics that were not there before."""
        if self._complete:
            return
        for topic, kinds in self.get_topic_names_and_types():
            if topic not in self._recorded and (topic in self._topics or (
                    self._options.all_topics and not topic_or_service_is_hidden(topic))):
                self._consider(topic, kinds)
        if not self._options.all_topics and self._topics <= self._recorded.keys():
            self.get_logger().info('All requested topics are subscribed. Stopping discovery...')
            self._complete = True

    def _consider(self, topic, kinds):
        """Subscribe to a chosen topic, if it can be recorded."""
        publishers = self.get_publishers_info_by_topic(topic)
        if not publishers:
            return
        if len(kinds) > 1:
            self._warn_once(topic, f"Topic '{topic}' has several types ({', '.join(kinds)}): "
                            'it is not recorded')
            return
        try:
            message_class = get_message(kinds[0])
        except (AttributeError, LookupError, ModuleNotFoundError, ValueError):
            self._warn_once(
                topic, f"Topic '{topic}' has the unknown type '{kinds[0]}': it is not recorded"
            )
            return
        self._subscribe(topic, kinds[0], message_class, [info.qos_profile for info in publishers])

    def _warn_once(self, topic, text):
        if topic not in self._warned:
            self._warned.add(topic)
            self.get_logger().warning(text)

    def _subscribe(self, topic, kind, message_class, offered):
        self._writer.create_topic(TopicMetadata(len(self._recorded), topic, kind, 'cdr', offered))
        qos = self._options.topic_qos_profile_overrides.get(topic) or qos_for_recording(offered)
        self._recorded[topic] = self.create_subscription(
            message_class, topic, lambda data, info: None, qos, raw=True)
        self.get_logger().info(f"Subscribed to topic '{topic}'")

    def take_all(self):
        """Write what has arrived on any topic; how many messages that was."""
        before, self._looked = self._looked, time.time_ns()
        found = []
        for topic, subscription in self._recorded.items():
            for data, info in taken(subscription):
                if self._once[topic].is_new(info['source_timestamp'], data):
                    found.append((info['source_timestamp'], topic, data))
        found.sort(key=lambda one: one[0])
        for sent, topic, data in found:
            self._writer.write(topic, data, min(max(sent, before), self._looked))
        self._complaints.look()
        return len(found)
