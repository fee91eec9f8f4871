"""A bad line between drivers and estimator: readings lost, doubled, out of order, damaged.

    ros2 run mb_simulation disturber --ros-args -p sensors:="[crank_encoder]" -p dropped:=0.2
    ros2 run mb_estimators estimator --ros-args -r crank_encoder:=disturbed/crank_encoder ...
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.lifecycle import LifecyclePublisher
from rclpy.serialization import serialize_message

from mb_model import Settings, load_mechanism, setting
from mb_ros.diagnostics import OK, STALE, Health
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import NodeMain
from mb_ros.qos import stream_qos
from mb_sensors import by_topic, sensors_of
from mb_sensors.command_api import reading_type
from mb_simulation.disturbance import Disturbance, DisturbanceSettings

FOLDER = 'disturbed'        # of the topics
IDLE = 1.0                  # wall time without a message after which held messages are sent [s]


@dataclass(frozen=True)
class DisturberSettings(Settings):
    """Which readings are disturbed."""

    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')
    sensors: tuple[str, ...] = setting(
        (), help='Sensors or sensor groups of the mechanism; empty: all')


class DisturberNode(ManagedNode):
    """Publishes the disturbed readings of a sensor on disturbed/<topic of the sensor>."""

    def __init__(self, **options: Any) -> None:
        super().__init__('disturber', **options)

    def configure(self) -> None:
        """Subscribe to the sensors."""
        settings = self.settings_of(DisturberSettings)
        disturbance = self.settings_of(DisturbanceSettings)
        mechanism = load_mechanism(settings.mechanism)
        self._lines, self._received_before, self._refused = {}, 0, 0
        sensors = sensors_of(mechanism, settings.sensors or list(mechanism.sensors))
        for name, topic in by_topic(sensors).items():
            kind = reading_type(topic)
            line = Disturbance(disturbance, name, serialize_message)
            publisher = self.create_lifecycle_publisher(
                kind, f'{FOLDER}/{name}', stream_qos(2.0 * topic.rate))     # some are sent twice
            self._lines[name] = line, publisher
            self.subscribe(kind, name, partial(self._on_reading, line, publisher))
        self.create_timer(IDLE, self._on_idle, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def reset(self) -> str:
        """Publish the messages that are held back."""
        for line, publisher in self._lines.values():
            self._send(publisher, line.release_all())
        return 'nothing is held back'

    def health(self) -> Health:
        """Return the counts of messages."""
        values = {f'{name} {what.replace("_", " ")}': count
                  for name, (line, _) in self._lines.items()
                  for what, count in asdict(line.counts).items()}
        values['refused by the middleware'] = self._refused
        return Health(OK, 'disturbing', values) if self._received else Health(
            STALE, 'no readings yet', values)

    @property
    def _received(self) -> int:
        return sum(line.counts.received for line, _ in self._lines.values())

    def _on_reading(self, line: Disturbance, publisher: LifecyclePublisher, message: Any) -> None:
        self._send(publisher, line.pass_on(message))

    def _send(self, publisher: LifecyclePublisher, messages: Iterable[Any]) -> None:
        for message in messages:
            try:
                publisher.publish(message)
            except RuntimeError:        # bytes that are no message: DDS sends none
                self._refused += 1

    def _on_idle(self) -> None:
        if self._received == self._received_before:
            self.reset()
        self._received_before = self._received


main = NodeMain(DisturberNode)
