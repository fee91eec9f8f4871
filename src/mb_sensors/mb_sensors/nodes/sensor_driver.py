"""The driver of sensors of all kinds: from parameters, and from their source to their topics."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from mb_model import Mechanism, Settings, load_mechanism, setting
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import NodeMain
from mb_ros.qos import stream_qos
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.kinds import driven_by, sensor_kinds
from mb_sensors.nodes.device_readings import DeviceReadings
from mb_sensors.nodes.kept_message import KeptMessage, reading_type
from mb_sensors.nodes.simulated_readings import SimulatedReadings, SimulationSettings
from mb_sensors.selection import sensors_of
from mb_sensors.sensor import NoiseSettings, Sensor
from mb_sensors.sources import available_sources
from mb_sensors.topics import bundled, by_topic

SIMULATED = 'simulated'


@dataclass(frozen=True)
class DriverSettings(Settings):
    """The sensors that a driver reads, and their source."""

    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')
    sensors: tuple[str, ...] = setting(
        (), help='Sensors or sensor groups to read; empty: all of the mechanism that it can')
    source: str = setting(
        SIMULATED, choices=(SIMULATED, *available_sources()),
        help='Where readings come from; simulated: from the truth of a prototype; others: devices')


def sensors_to_drive(mechanism: Mechanism, names: Sequence[str],
                     kinds: Sequence[str]) -> list[Sensor]:
    """Return the named Sensors, or all of some kinds.  Raises SensorError for others."""
    expected = ' or '.join(kinds)
    if not names:
        every = sensors_of(mechanism, list(mechanism.sensors))
        chosen = [sensor for sensor in every if sensor.kind in kinds]
        if not chosen:
            raise SensorError(f'{mechanism.name}: has no {expected} sensor')
        return chosen
    chosen = sensors_of(mechanism, names)
    for sensor in chosen:
        if sensor.kind not in kinds:
            raise SensorError(f'{sensor.name}: is of kind {sensor.kind}, expected {expected}')
    return chosen


def sensors_with_noise(node: ManagedNode, sensors: Iterable[Sensor],
                       change: Callable[[str, NoiseSettings], Any] | None = None):
    """Return the Sensors with the noise that `<sensor>.` parameters of a ManagedNode give them.

    change(sensor's name, NoiseSettings): see ManagedNode.settings_of.
    """
    return [sensor.with_settings(node.settings_of(
        NoiseSettings, f'{sensor.name}.', asdict(sensor.settings),
        change=change and partial(change, sensor.name))) for sensor in sensors]


class SensorDriver(ManagedNode):
    """Publishes readings of all its sensors, each on its topic; its process gets them at once.

    Drivers of devices of one kind have another name, and sensors of the kinds that are read by it.
    """

    first_settings = DriverSettings, SimulationSettings
    node_name = 'sensor_driver'
    kinds = tuple(sensor_kinds())
    _readings = None        # until the node is set up: it may be interrupted before

    def __init_subclass__(cls, name: str) -> None:
        cls.node_name, cls.kinds = name, driven_by(name)

    def __init__(self, **options):
        super().__init__(self.node_name, **options)

    def configure(self):
        """Set up the source by the parameters."""
        settings = self.settings_of(DriverSettings)
        mechanism = load_mechanism(settings.mechanism)
        simulated = settings.source == SIMULATED
        sensors = sensors_with_noise(
            self, sensors_to_drive(mechanism, settings.sensors, self.kinds),
            self._change_noise if simulated else None)
        self._topics = by_topic(sensors)
        self._messages = {name: KeptMessage(topic, mechanism.name)
                          for name, topic in self._topics.items()}
        self._offer = {name: self.offer(name) for name in self._topics}
        self._reading_pubs = {}
        if simulated:
            self._readings = SimulatedReadings(self, mechanism, sensors, self._publish)
            self._advertise()
        else:
            # Nodes that wait for the topics of a driver wait for its devices to answer.
            self._readings = DeviceReadings(self, mechanism, sensors, settings.source,
                                            self._publish, self._advertise)

    def cleanup(self):
        """End the readings."""
        if self._readings is not None:
            self._readings.close()
            self._readings = None

    def reset(self):
        """Read as after a start."""
        return self._readings.reset()

    def begin_again(self, before: int, now: int):
        """Read as after a start, unless the readings have begun anew already."""
        self._readings.begin_again(before, now)

    def health(self):
        """Return the health of the readings."""
        return self._readings.health()

    def _change_noise(self, name: str, settings: NoiseSettings):
        return self._readings.change_noise(name, settings)

    def _advertise(self):
        self._reading_pubs = {
            name: self.create_lifecycle_publisher(
                reading_type(topic), name, stream_qos(topic.rate))
            for name, topic in self._topics.items()}

    def _publish(self, readings: Iterable[tuple[Sensor, int, Any]]):
        for topic, stamp, together in bundled(readings):
            message = self._messages[topic].filled(stamp, together)
            self._offer[topic](stamp, message)
            self._reading_pubs[topic].publish(message)


class EncoderDriver(SensorDriver, name='encoder_driver'):
    """The driver of encoders: angles [rad] and lengths [m] as joint positions."""


class ImuDriver(SensorDriver, name='imu_driver'):
    """The driver of inertial sensors: angular rates [rad/s] and specific forces [m/s^2]."""


class PositionDriver(SensorDriver, name='position_driver'):
    """The driver of position sensors: positions [m] in the frame of the mechanism."""


class PressureDriver(SensorDriver, name='pressure_driver'):
    """The driver of pressure sensors [Pa]."""


class RangeDriver(SensorDriver, name='range_driver'):
    """The driver of distance sensors [m], in the single precision of their message."""


main = NodeMain(SensorDriver)
encoder_driver = NodeMain(EncoderDriver)
imu_driver = NodeMain(ImuDriver)
position_driver = NodeMain(PositionDriver)
pressure_driver = NodeMain(PressureDriver)
range_driver = NodeMain(RangeDriver)
