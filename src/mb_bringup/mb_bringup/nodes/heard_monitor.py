"""A monitor of a HeardRun: what messages and diagnostics tell, noted by their stamps."""

from functools import partial

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.qos import QoSProfile

from mb_bringup.heard.run import Counters
from mb_bringup.nodes.monitor import Monitor
from mb_interfaces.msg import EstimatorStatus
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds


class HeardMonitor(Monitor):
    """Notes the status of the estimator, and complaints; a monitor adds what else it listens to."""

    def listen(self, *streams):
        """Subscribe to streams: (message type, topic, note(message, stamp [ns], arrival), QoS)."""
        status = EstimatorStatus, 'estimator/status', self._note_status, STREAM_QOS
        for message_type, topic, note, qos in (*streams, status):
            self.create_subscription(message_type, topic, partial(self._note, topic, note), qos)
        self.create_subscription(DiagnosticArray, '/diagnostics', self._on_diagnostics,
                                 QoSProfile(depth=100))

    def _note(self, topic, note, message):
        """Note a message with a stamp; what does not fit the mechanism is told."""
        arrival = self.hear()
        try:
            note(message, nanoseconds(message.header.stamp), arrival)
        except (ValueError, IndexError, KeyError) as error:
            self.get_logger().error(f'{topic}: {error}', throttle_duration_sec=5.0)

    def _note_status(self, message, stamp, _):
        self.run.counters = Counters(stamp, message.readings_used, message.readings_rejected,
                                     message.readings_late, message.readings_missing)
        self.run.step_times.append(message.step_time)

    def _on_diagnostics(self, message):
        """Note what nodes say of themselves, by the newest stamp of the truth."""
        stamp = max(self.run.truth.newest, self.run.start)
        for status in message.status:
            self.run.complaints.hear(stamp, status)
