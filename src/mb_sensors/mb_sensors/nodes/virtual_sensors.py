"""Readings that no device gives: cylinders at their stops, and a machine that stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mb_model import Mechanism, Settings, load_mechanism, setting
from mb_ros.diagnostics import OK, STALE, Health
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import NodeMain
from mb_ros.qos import OVERRIDABLE, stream_qos
from mb_ros.stamps import nanoseconds
from mb_sensors.end_stops import EXTENDED, RETRACTED, StopReadings
from mb_sensors.nodes.kept_message import KeptMessage, reading_type
from mb_sensors.sampling import readings_between
from mb_sensors.selection import sensors_of
from mb_sensors.topics import SensorTopic, by_topic


@dataclass(frozen=True)
class VirtualSensorSettings(Settings):
    """What is known without a device."""

    mechanism: str = setting('excavator_afloat', help='Name of a mechanism or path of its file')
    cylinders: tuple[str, ...] = setting(
        ('bucket', 'boom', 'arm'), help='Cylinders of the hydraulics whose stops are read')
    retracted: tuple[str, ...] = setting(
        ('bucket_opened', 'boom_lowered', 'arm_stretched'),
        help="Linear encoder that reads each one's length at the near end; an empty name: none")
    extended: tuple[str, ...] = setting(('bucket_curled', '', ''), help='The same at the far end')
    pressures: tuple[str, ...] = setting(
        ('bucket_pressure1', 'bucket_pressure2', 'boom_pressure1', 'boom_pressure2',
         'arm_pressure1', 'arm_pressure2'),
        help="Sensors of each one's piston side and rod side")
    gyroscopes: tuple[str, ...] = setting(
        ('arm_gyro', 'bucket_gyro', 'house_gyro', 'boom_gyro', 'boom_gyro', 'arm_gyro'),
        help='On the two bodies that each one turns against each other')
    axis: str = setting('y', choices=('x', 'y', 'z'), help='Axis about which these read it')
    standing: tuple[str, ...] = setting(
        ('place',), help='Position sensors that read zero: the machine stands where it stood')


def _stops_of(mechanism: Mechanism, settings: VirtualSensorSettings):
    """Return the StopReadings of each cylinder; raises SensorError, ValueError."""
    count = len(settings.cylinders)
    for key, each in (('retracted', 1), ('extended', 1), ('pressures', 2), ('gyroscopes', 2)):
        given = len(getattr(settings, key))
        if given != each * count:
            raise ValueError(f'{key}: {given} names, expected {each * count}, {each} for each of '
                             f'{", ".join(settings.cylinders) or "no cylinders"}')
    every_stop = []
    for k, cylinder in enumerate(settings.cylinders):
        stops = {RETRACTED: settings.retracted[k], EXTENDED: settings.extended[k]}
        every_stop.append(StopReadings(
            mechanism, cylinder, {end: name for end, name in stops.items() if name},
            settings.pressures[2 * k:2 * k + 2], settings.gyroscopes[2 * k:2 * k + 2],
            'xyz'.index(settings.axis)))
    return every_stop


class VirtualSensorsNode(ManagedNode):
    """Publishes a reading at every instant of a virtual sensor, NaN where there is none."""

    first_settings = VirtualSensorSettings,

    def __init__(self, **options):
        super().__init__('virtual_sensors', **options)

    def configure(self):
        """Make the readings by the parameters, and subscribe to pressures and gyroscopes."""
        settings = self.settings_of(VirtualSensorSettings)
        mechanism = load_mechanism(settings.mechanism)
        self._stops = _stops_of(mechanism, settings)
        self._standing = sensors_of(mechanism, settings.standing) if settings.standing else ()
        self._outputs = {}
        for sensor in (*(one for stops in self._stops for one in stops.sensors), *self._standing):
            (name, topic), = by_topic([sensor]).items()
            self._outputs[sensor.name] = (
                sensor, KeptMessage(topic, mechanism.name), self.offer(name),
                self.create_lifecycle_publisher(reading_type(topic), name,
                                                stream_qos(topic.rate)))
        self._given = self._given_before = self._at_stop = 0
        used = sensors_of(mechanism, (*settings.pressures, *settings.gyroscopes))
        together = [sensor for sensor in sensors_of(mechanism, list(mechanism.sensors))
                    if sensor.topic in {one.topic for one in used}]
        for name, topic in by_topic(together).items():
            take = partial(self._on_readings, topic)
            if not self.take_offered(name, take):
                self.subscribe(reading_type(topic), name, take,
                               qos_overriding_options=OVERRIDABLE)
        self._first = settings.pressures[0]

    def reset(self):
        """Forget everything."""
        for stops in self._stops:
            stops.reset()
        return 'waiting for readings'

    def _on_readings(self, topic: SensorTopic, message: Any):
        """Take the readings in a message; give what they complete."""
        stamp = nanoseconds(message.header.stamp)
        for name, values in topic.readings(message):
            if name == self._first:
                for sensor in self._standing:
                    if readings_between(None, stamp, sensor.rate):
                        self._give(stamp, sensor.name, [0.0] * len(sensor.channels))
            for stops in self._stops:
                completed = stops.add(stamp, name, values)
                for encoder, length in completed[1].items() if completed is not None else ():
                    self._at_stop += length == length
                    self._give(stamp, encoder, [length])

    def _give(self, stamp: int, name: str, values: Sequence[float]):
        sensor, kept, hand_over, publisher = self._outputs[name]
        message = kept.filled(stamp, [(sensor, values)])
        self._given += 1
        hand_over(stamp, message)
        publisher.publish(message)

    def health(self):
        """Return the health of the readings."""
        values = {'readings given': self._given, 'of these at a stop': self._at_stop}
        stands_still, self._given_before = self._given == self._given_before, self._given
        return Health(STALE, 'no readings to go by', values) if stands_still else Health(
            OK, 'reading', values)


main = NodeMain(VirtualSensorsNode)
