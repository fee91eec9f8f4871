"""A monitor that keeps messages as they are, and reads most of them at the end of the run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message

from mb_evaluation.nodes.monitor import Monitor
from mb_interfaces.msg import EstimatorStatus
from mb_ros.delivered_once import DeliveredOnce
from mb_ros.qos import STREAM_QOS, deep
from mb_ros.stamps import (
    MalformedStampError,
    nanoseconds,
    serialised_stamp,
    sound_nanoseconds,
)


@dataclass
class _Stream:
    """Messages of a topic as they came, until they are read."""

    message_type: type
    topic: str
    note: Any
    qos: QoSProfile
    once: DeliveredOnce = field(default_factory=DeliveredOnce)
    kept: list = field(default_factory=list)        # (serialised message, its info from rclpy)


class BufferedMonitor(Monitor):
    """Notes the status of the estimator; a monitor adds the streams that it listens to.

    At 1 kHz, to read all messages would take time from their publishers.  Messages are kept as they
    are; until the end only some are read, to see how far the run is.
    """

    _streams = ()

    def listen(self, *streams: tuple, in_order: Sequence[tuple] = ()):
        """Subscribe to streams: (message type, topic, note(message, stamp [ns], info), QoS).

        note is called in any order, for the newest messages first; for streams `in_order` when a
        message comes.  info: of rclpy on a message.
        """
        status = EstimatorStatus, 'estimator/status', self._note_status, STREAM_QOS
        self._streams = [_Stream(*stream) for stream in (*streams, status)]
        for stream in self._streams:
            self.create_subscription(stream.message_type, stream.topic,
                                     partial(self._keep, stream), deep(stream.qos), raw=True)
        for stream in (_Stream(*one) for one in in_order):
            self.create_subscription(stream.message_type, stream.topic,
                                     partial(self._on_message, stream), deep(stream.qos))

    def _keep(self, stream: _Stream, serialised: bytes, info: dict[str, Any]):
        if self._is_of_run(stream, partial(serialised_stamp, serialised), info):
            stream.kept.append((serialised, info))

    def _on_message(self, stream: _Stream, message: Any, info: dict[str, Any]):
        if self._is_of_run(stream, partial(sound_nanoseconds, message.header.stamp), info):
            self._note(stream, message, info)

    def _is_of_run(self, stream: _Stream, stamp_of: Callable[[], int],
                   info: dict[str, Any]) -> bool:
        """Return whether a message is of this run, and has not come before.

        stamp_of(): its stamp [ns].  Commands and parameters may be stamped ahead of its end.
        """
        try:
            stamp = stamp_of()
        except MalformedStampError as error:
            self.get_logger().warning(f'{stream.topic}: {error}', throttle_duration_sec=5.0)
            return False
        if not stream.once.is_new(info, stamp):
            return False
        self.note_message()
        return stream.qos is not STREAM_QOS or self.run.admits(stamp)

    def _note(self, stream: _Stream, message: Any, info: dict[str, Any]):
        """Note a message; say what does not fit the mechanism."""
        try:
            stream.note(message, nanoseconds(message.header.stamp), info)
        except (ValueError, IndexError, KeyError) as error:
            self.get_logger().error(f'{stream.topic}: {error}', throttle_duration_sec=5.0)

    def _read(self, stream: _Stream, kept: list[tuple[bytes, dict[str, Any]]]):
        """Note messages that were kept."""
        for serialised, info in kept:
            self._note(stream, deserialize_message(serialised, stream.message_type), info)

    def _read_newest(self):
        """Note the newest message of each stream."""
        for stream in self._streams:
            if stream.kept:
                self._read(stream, [stream.kept.pop()])

    def _look(self):
        self._read_newest()
        super()._look()

    def conclude(self):
        """Report on all messages that have come, the kept ones included."""
        for stream in self._streams:
            self._read(stream, stream.kept)
        super().conclude()

    def _note_status(self, message: EstimatorStatus, stamp: int, _: Any):
        self.note_status(message, stamp)
        self.run.step_times.append(message.step_time)

    def on_diagnostics(self, message: DiagnosticArray):
        """Note the diagnostics of nodes, by the newest stamp of the truth."""
        self._read_newest()
        super().on_diagnostics(message)
