"""A stand-in for ros2_control: what its broadcasters would publish of a simulated machine.

joint_state_broadcaster, imu_sensor_broadcaster and force_torque_sensor_broadcaster, by their types,
qualities of service, frames and stamps: all readings of an update of controller_manager have its
time, and a message has every joint.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import nan
from typing import Any

from rclpy.qos import QoSProfile
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Float64MultiArray

from mb_model import Settings, load_mechanism, setting
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import NodeMain
from mb_sensors.kind_parts.joint_states import FIELDS
from mb_sensors.kinds import sensor_kinds
from mb_sensors.nodes.kept_message import KeptMessage, reading_type
from mb_sensors.nodes.sensor_driver import sensors_to_drive, sensors_with_noise
from mb_sensors.nodes.simulated_readings import SimulatedReadings, SimulationSettings
from mb_sensors.sensor import Sensor
from mb_sensors.simulated_sensor import SentReading
from mb_sensors.topics import SensorTopic, by_topic

QOS = QoSProfile(depth=10)      # as rclcpp's SystemDefaultsQoS is on Fast DDS: reliable, volatile
DYNAMIC = 'dynamic_joint_states'
MOST_PENDING = 50       # updates of a topic that wait for readings
COVARIANCES = 'orientation', 'angular_velocity', 'linear_acceleration'


@dataclass(frozen=True)
class BroadcasterSettings(Settings):
    """The machine, and what of it is broadcast."""

    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')
    sensors: tuple[str, ...] = setting(
        (), help='Sensors or sensor groups that are broadcast; empty: all of the mechanism')
    frame_ids: tuple[str, ...] = setting(
        (), help='Frames of messages, as "topic: frame" each, as the frame_id of each broadcaster '
                 'says; of others base_link')
    publish_dynamic_joint_states: bool = setting(
        True, help='Whether dynamic_joint_states are published, too, if control_msgs is installed')
    commands: str = setting(
        '', help='Topic of Float64MultiArrays on which the torques of prototype/drive_torques are '
                 "sent on, as a user's controller would command an effort controller; empty: none")


class Updates:
    """Readings of a topic until all of an update are there: of one stamp."""

    def __init__(self, count: int) -> None:
        """Begin with nothing; count: of the sensors."""
        self._count, self._pending = count, {}      # {stamp [ns]: {name: (Sensor, values)}}

    def take(self, sensor: Sensor, stamp: int, values: Any
             ) -> list[tuple[int, list[tuple[Sensor, Any]]]]:
        """Return [(stamp [ns], [(Sensor, values)])] of the updates that a reading completes.

        And of older ones, which lack readings: what drops out is not waited for, nor for long.
        """
        update = self._pending.setdefault(stamp, {})
        update[sensor.name] = sensor, values
        if len(update) < self._count and len(self._pending) <= MOST_PENDING:
            return []
        due = sorted(one for one in self._pending if one <= stamp)
        return [(one, list(self._pending.pop(one).values())) for one in due]


class BroadcastersNode(ManagedNode):
    """Publishes readings of prototype/state as the broadcasters of ros2_control would."""

    first_settings = BroadcasterSettings, SimulationSettings
    _readings: SimulatedReadings | None = None      # until it is configured

    def __init__(self, **options: Any) -> None:
        super().__init__('broadcasters', **options)

    def configure(self) -> None:
        """Set up topics by the parameters."""
        settings = self.settings_of(BroadcasterSettings)
        mechanism = load_mechanism(settings.mechanism)
        sensors = sensors_with_noise(
            self, sensors_to_drive(mechanism, settings.sensors, tuple(sensor_kinds())))
        frames = dict(_pair(text) for text in settings.frame_ids)
        self._broadcasts = {name: Broadcast(self, topic, mechanism.name, frames.get(
            name, 'base_link')) for name, topic in by_topic(sensors).items()}
        self._dynamic = None
        joints = [one for one in self._broadcasts.values() if one.type is JointState]
        if settings.publish_dynamic_joint_states and joints and find_spec('control_msgs'):
            self._dynamic = DynamicBroadcast(self)
        if settings.commands:
            self._drives = list(mechanism.drives)
            self._commands_pub = self.create_lifecycle_publisher(
                Float64MultiArray, settings.commands, QOS)
            self.subscribe(JointState, 'prototype/drive_torques', self._on_torques)
        self._readings = SimulatedReadings(self, mechanism, sensors, self._publish)

    def cleanup(self) -> None:
        """End the readings."""
        if self._readings is not None:
            self._readings.close()
            self._readings = None

    def reset(self) -> str:
        """Read as after a start."""
        return self._readings.reset()

    def begin_again(self, before: int, now: int) -> None:
        """Read as after a start, unless the readings have begun anew already."""
        self._readings.begin_again(before, now)

    def health(self) -> Any:
        """Return the Health of the readings."""
        return self._readings.health()

    def _publish(self, readings: Sequence[SentReading]) -> None:
        for sensor, stamp, values in readings:
            for message in self._broadcasts[sensor.topic].take(sensor, stamp, values):
                if self._dynamic and isinstance(message, JointState):
                    self._dynamic.publish(message)

    def _on_torques(self, message: JointState) -> None:
        """Command what the controller of the prototype does."""
        torques = dict(zip(message.name, message.effort, strict=False))
        self._commands_pub.publish(Float64MultiArray(
            data=[torques.get(name, 0.0) for name in self._drives]))


class Broadcast:
    """The topic of one broadcaster."""

    def __init__(self, node: ManagedNode, topic: SensorTopic, mechanism: str, frame: str) -> None:
        """Set up in a node; mechanism: its name; frame: of all messages."""
        self.type, self._frame = reading_type(topic), frame
        self._message = KeptMessage(topic, mechanism)
        self._updates = Updates(len(topic.sensors))
        self._publisher = node.create_lifecycle_publisher(
            self.type, topic.sensors[0].topic, QOS)

    def take(self, sensor: Sensor, stamp: int, values: Any) -> list[Any]:
        """Publish the messages that a reading completes, and return them."""
        messages = []
        for at, together in self._updates.take(sensor, stamp, values):
            message = self._message.filled(at, together)
            message.header.frame_id = self._frame
            _complete(message)
            self._publisher.publish(message)
            messages.append(message)
        return messages


class DynamicBroadcast:
    """The topic dynamic_joint_states: the same as joint_states, by interface."""

    def __init__(self, node: ManagedNode) -> None:
        """Set up in a node; control_msgs must be installed."""
        from control_msgs.msg import DynamicJointState, InterfaceValue
        self._type, self._part = DynamicJointState, InterfaceValue
        self._publisher = node.create_lifecycle_publisher(DynamicJointState, DYNAMIC, QOS)

    def publish(self, joints: JointState) -> None:
        """Publish the interfaces of a JointState with all fields."""
        self._publisher.publish(self._type(
            header=joints.header, joint_names=joints.name, interface_values=[
                self._part(interface_names=list(FIELDS), values=array('d', values))
                for values in zip(*(getattr(joints, field) for field in FIELDS), strict=True)]))


def _complete(message: Any) -> None:
    """Write what broadcasters write beside the readings."""
    if isinstance(message, JointState):         # a field each, NaN where there is no interface
        for field in FIELDS:
            if not getattr(message, field):
                setattr(message, field, array('d', [nan] * len(message.name)))
    elif isinstance(message, Imu):      # static_covariance_...: zeros unless they are given
        for vector in COVARIANCES:
            getattr(message, f'{vector}_covariance')[:] = 0.0


def _pair(text: str) -> tuple[str, str]:
    """Return (topic, frame) of 'topic: frame'.  Raises ValueError."""
    topic, colon, frame = (part.strip() for part in text.partition(':'))
    if not (topic and colon and frame):
        raise ValueError(f'frame_ids: {text!r} must be as "topic: frame"')
    return topic, frame


main = NodeMain(BroadcastersNode)
