"""The node that records: subscribes to what is chosen, writes what arrives."""
from collections import defaultdict
import time

from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.node import Node
from rclpy.parameter import Parameter
from rosbag2_interfaces.srv import IsPaused, Pause, Resume, SplitBagfile
from rosidl_runtime_py.utilities import get_message

from rosbag2_py.complaints import Complaints
from rosbag2_py.metadata import TopicMetadata
from rosbag2_py.qos_adaptation import qos_for_recording
from rosbag2_py.recorded_once import RecordedOnce
from rosbag2_py.topic_choice import TopicChoice

DISCOVERY_TIME = 0.5        # [s] given to the graph if it is looked at only once
POLL_PERIOD = 0.01          # [s] between two looks at what has arrived
MOST_AT_ONCE = 5000         # messages of a topic that are taken at one look


class RecorderNode(Node):
    """Writes messages with the time of their arrival.

    Queues are looked at now and then instead of at every message. What came in between is written
    in the order in which it was sent, whatever the topic, and it arrives when it was
    sent, as far as that lies between the two looks.
    """

    def __init__(self, name, writer, options, context):
        super().__init__(
            name,
            context=context,
            start_parameter_services=False,
            parameter_overrides=[Parameter('use_sim_time', value=options.use_sim_time)],
        )
        self._writer, self._options = writer, options
        self._complaints = Complaints(writer, self.get_logger())
        options.topics = [self.resolve_topic_name(topic) for topic in options.topics]
        self._choice = TopicChoice(options)
        self._recorded = {}         # topic -> subscription
        self._once = defaultdict(RecordedOnce)      # by topic
        self._warned = set()
        self.paused = options.start_paused
        self.create_service(Pause, '~/pause', self._on_pause)
        self.create_service(Resume, '~/resume', self._on_resume)
        self.create_service(IsPaused, '~/is_paused', self._on_is_paused)
        self.create_service(SplitBagfile, '~/split_bagfile', self._on_split)
        self.get_logger().info('Listening for topics...')
        self._timer = None
        if options.is_discovery_disabled:
            time.sleep(DISCOVERY_TIME)
        else:
            self._timer = self.create_timer(
                options.topic_polling_interval.total_seconds(), self._discover)
        self.create_timer(POLL_PERIOD, self.take_all, clock=Clock(clock_type=ClockType.STEADY_TIME))
        self._discover()
        self._looked = time.time_ns()       # nothing came before there were subscriptions

    @property
    def subscriptions(self):
        """Subscriptions that executors wait for: not the recorded ones."""
        recorded = set(self._recorded.values())
        return (one for one in super().subscriptions if one not in recorded)

    def _discover(self):
        """Subscribe to chosen topics that were not there before."""
        for topic, kinds in self.get_topic_names_and_types():
            if topic not in self._recorded and self._choice.includes(topic, kinds[0]):
                self._consider(topic, kinds)
        if self._choice.is_complete(self._recorded.keys()) and self._timer:
            self.get_logger().info('All requested topics are subscribed. Stopping discovery...')
            self._timer.cancel()
            self._timer = None

    def _consider(self, topic, kinds):
        """Subscribe to a chosen topic, if it can be recorded."""
        publishers = self.get_publishers_info_by_topic(topic)
        if not publishers and not self._options.include_unpublished_topics:
            return
        if self._options.ignore_leaf_topics and not self.count_subscribers(topic):
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
            for _ in range(MOST_AT_ONCE):
                taken = subscription.take()
                if taken is None:
                    break
                data, info = taken
                if self._once[topic].is_new(info['source_timestamp'], data):
                    found.append((info['source_timestamp'], topic, data))
        if self.paused:
            return len(found)
        found.sort(key=lambda one: one[0])
        simulated = self.get_clock().now().nanoseconds if self._options.use_sim_time else None
        for sent, topic, data in found:
            arrival = min(max(sent, before), self._looked) if simulated is None else simulated
            self._writer.write(topic, data, arrival)
        self._complaints.look()
        return len(found)

    def set_paused(self, paused):
        """Leave out what arrives, or go on."""
        self.paused = paused
        self.get_logger().info('Pausing recording.' if paused else 'Resuming recording.')

    def toggle_paused(self):
        """Pause or go on."""
        self.set_paused(not self.paused)

    def _on_pause(self, _, response):
        self.set_paused(True)
        return response

    def _on_resume(self, _, response):
        self.set_paused(False)
        return response

    def _on_is_paused(self, _, response):
        response.paused = self.paused
        return response

    def _on_split(self, _, response):
        self._writer.split_bagfile()
        return response
