"""Readings that no device gives: a cylinder at its stops, and a machine that stands."""

from dataclasses import dataclass
from functools import partial

from mb_model import Settings, load_mechanism, setting
from mb_ros.diagnostics import OK, STALE, Health
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import NodeMain
from mb_ros.qos import OVERRIDABLE, stream_qos
from mb_ros.stamps import nanoseconds
from mb_sensors.end_stops import EXTENDED, RETRACTED
from mb_sensors.nodes.kept_message import KeptMessage
from mb_sensors.nodes.reading_types import reading_type
from mb_sensors.sampling import readings_between
from mb_sensors.selection import sensors_of
from mb_sensors.stop_readings import StopReadings
from mb_sensors.topics import by_topic


@dataclass(frozen=True)
class VirtualSensorSettings(Settings):
    """What is known without a device."""

    mechanism: str = setting('excavator_afloat', help='Name of a mechanism or path of its file')
    cylinder: str = setting('bucket', help='Cylinder of the hydraulics whose stops are read')
    retracted: str = setting('bucket_opened',
                             help='Linear encoder that reads its length at the near end')
    extended: str = setting('bucket_curled', help='The same at the far end')
    pressures: tuple[str, ...] = setting(('bucket_pressure1', 'bucket_pressure2'),
                                         help='Sensors of its piston side and its rod side')
    gyroscopes: tuple[str, ...] = setting(
        ('arm_gyro', 'bucket_gyro'), help='On the bodies that it turns against each other')
    axis: str = setting('y', choices=('x', 'y', 'z'), help='Axis about which these read it')
    standing: tuple[str, ...] = setting(
        ('place',), help='Position sensors that read zero: the machine stands where it stood')


class VirtualSensorsNode(ManagedNode):
    """Publishes a reading at every instant of a virtual sensor, NaN where there is none."""

    first_settings = VirtualSensorSettings,

    def __init__(self, **options):
        super().__init__('virtual_sensors', **options)

    def configure(self):
        """Make the readings by the parameters, and subscribe to pressures and gyroscopes."""
        settings = self.settings_of(VirtualSensorSettings)
        mechanism = load_mechanism(settings.mechanism)
        self._stops = StopReadings(
            mechanism, settings.cylinder,
            {RETRACTED: settings.retracted, EXTENDED: settings.extended}, settings.pressures,
            settings.gyroscopes, 'xyz'.index(settings.axis))
        self._standing = sensors_of(mechanism, settings.standing) if settings.standing else ()
        self._outputs = {}
        for sensor in (*self._stops.sensors, *self._standing):
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
        self._stops.reset()
        return 'waiting for readings'

    def _on_readings(self, topic, message):
        """Take the readings in a message; give what they complete."""
        stamp = nanoseconds(message.header.stamp)
        for name, values in topic.readings(message):
            if name == self._first:
                for sensor in self._standing:
                    if readings_between(None, stamp, sensor.rate):
                        self._give(stamp, sensor.name, [0.0] * len(sensor.channels))
            found = self._stops.add(stamp, name, values)
            if found is not None:
                for encoder, length in found[1].items():
                    self._at_stop += length == length
                    self._give(found[0], encoder, [length])

    def _give(self, stamp, name, values):
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
