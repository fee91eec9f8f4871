"""A monitor of a HeardRun: what messages and diagnostics tell, noted by their stamps."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message

from mb_bringup.heard.run import Counters
from mb_bringup.nodes.monitor import Monitor
from mb_interfaces.msg import EstimatorStatus
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds

TAKE_PERIOD = 0.005         # wall time between two looks for what came [s]
DEPTH = 10_000              # how many messages of a topic may come meanwhile


@dataclass
class _Stream:
    """Messages of a topic as they came, until they are read."""

    message_type: type
    topic: str
    note: Any
    handle: Any = None      # of the subscription
    kept: list = field(default_factory=list)        # (serialised message, what rclpy tells of it)


class HeardMonitor(Monitor):
    """Notes the status of the estimator, and complaints; a monitor adds what else it listens to.

    At 1 kHz to read all that is said would take the time of those who say it, and so would to wake
    for each message.  They are taken together now and then, and kept; until the end only some are
    read, to see how far the run is.
    """

    _listener = None
    _streams = _at_once = ()

    def listen(self, *streams, at_once=()):
        """Subscribe to streams: (message type, topic, note(message, stamp [ns], info), QoS).

        note is called in any order, for the newest messages first.  Streams `at_once` are those
        for which it matters when messages come: they are taken then, and all noted in that order
        soon after.  info: what rclpy tells of a message.
        """
        # A node that no executor spins: its messages wait until they are taken.
        self._listener = Node(
            f'{self.get_name()}_listener', context=self.context, namespace=self.get_namespace(),
            use_global_arguments=False, start_parameter_services=False, enable_rosout=False)
        self._streams, self._at_once = [], []
        status = EstimatorStatus, 'estimator/status', self._note_status, STREAM_QOS
        for message_type, topic, note, qos in (*streams, status):
            deep = QoSProfile(depth=DEPTH, reliability=qos.reliability, durability=qos.durability)
            stream = _Stream(message_type, topic, note)
            stream.handle = self._listener.create_subscription(
                message_type, self.resolve_topic_name(topic), partial(self._keep, stream), deep,
                raw=True).handle
            self._streams.append(stream)
        for message_type, topic, note, qos in at_once:
            self._at_once.append(_Stream(message_type, topic, note))
            self.create_subscription(
                message_type, topic, partial(self._keep, self._at_once[-1]), qos, raw=True)
        self.create_subscription(DiagnosticArray, '/diagnostics', self._on_diagnostics,
                                 QoSProfile(depth=100))
        self.create_timer(TAKE_PERIOD, self._take, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def destroy_node(self):
        """End the node, and that which listens."""
        if self._listener:
            self._listener.destroy_node()
        super().destroy_node()

    def _take(self):
        """Keep what came since the last call; note what was taken at once, a little at a time."""
        for stream in self._streams:
            with stream.handle as handle:
                while taken := handle.take_message(stream.message_type, True):
                    self._keep(stream, *taken)
        for stream in self._at_once:
            self._read(stream, stream.kept)
            stream.kept.clear()

    def _keep(self, stream, serialised, info):
        self.hear()
        stream.kept.append((serialised, info))

    def _read(self, stream, kept):
        """Note messages that were kept; what does not fit the mechanism is told."""
        for serialised, info in kept:
            message = deserialize_message(serialised, stream.message_type)
            try:
                stream.note(message, nanoseconds(message.header.stamp), info)
            except (ValueError, IndexError, KeyError) as error:
                self.get_logger().error(f'{stream.topic}: {error}', throttle_duration_sec=5.0)

    def _read_newest(self):
        """Note the newest message of each stream, and all of those that were taken at once."""
        self._take()
        for stream in self._streams:
            if stream.kept:
                self._read(stream, [stream.kept.pop()])

    def _look(self):
        self._read_newest()
        super()._look()

    def _finish(self):
        for stream in self._streams:
            self._read(stream, stream.kept)
        super()._finish()

    def _note_status(self, message, stamp, _):
        if stamp >= self.run.counters.stamp:
            self.run.counters = Counters(
                stamp, message.readings_used, message.readings_rejected, message.readings_late,
                message.readings_missing)
        self.run.step_times.append(message.step_time)

    def _on_diagnostics(self, message):
        """Note what nodes say of themselves, by the newest stamp of the truth."""
        self._read_newest()
        stamp = max(self.run.truth.newest, self.run.start)
        for status in message.status:
            self.run.complaints.hear(stamp, status)
