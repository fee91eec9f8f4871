"""What sensor drivers share: sensors from parameters, readings from the source to their topics."""

from dataclasses import asdict
from functools import partial

from mb_model import load_mechanism
from mb_ros.managed_node import ManagedNode
from mb_ros.qos import STREAM_QOS
from mb_sensors.driver_settings import (
    SIMULATED,
    DriverSettings,
    SimulationSettings,
    sensors_to_drive,
)
from mb_sensors.nodes.device_readings import DeviceReadings
from mb_sensors.nodes.simulated_readings import SimulatedReadings
from mb_sensors.noise_settings import NoiseSettings
from mb_sensors.topics import bundled, by_topic


def sensors_with_noise(node, sensors, change=None):
    """Return the Sensors with the noise that `<sensor>.` parameters of a ManagedNode give them.

    change(sensor's name, NoiseSettings): see ManagedNode.settings_of.
    """
    return [sensor.with_settings(node.settings_of(
        NoiseSettings, f'{sensor.name}.', asdict(sensor.settings),
        change=change and partial(change, sensor.name))) for sensor in sensors]


class SensorDriver(ManagedNode):
    """Publishes readings of all its sensors, each on its topic.

    A driver names its kinds of sensors, its message type and how readings become a message.
    """

    first_settings = DriverSettings, SimulationSettings
    kinds = ()
    message_type = None
    _readings = None        # until the node is set up: it may be interrupted before

    def configure(self):
        """Take up the source that parameters ask for."""
        settings = self.settings_of(DriverSettings)
        self.mechanism = load_mechanism(settings.mechanism)
        simulated = settings.source == SIMULATED
        self.sensors = sensors_with_noise(
            self, sensors_to_drive(self.mechanism, settings.sensors, self.kinds),
            self._change_noise if simulated else None)
        self._reading_pubs = {}
        if simulated:
            self._readings = SimulatedReadings(
                self, self.mechanism, self.sensors, self._publish)
            self._advertise()
        else:
            # Whoever waits for the topics of a driver waits for its devices to answer.
            self._readings = DeviceReadings(self, self.mechanism, self.sensors, settings.source,
                                            self._publish, self._advertise)

    def cleanup(self):
        """End the readings."""
        if self._readings is not None:
            self._readings.close()
            self._readings = None

    def reset(self):
        """Read as after a start."""
        return self._readings.reset()

    def health(self):
        """Return how the readings go."""
        return self._readings.health()

    def message_of(self, stamp, readings):
        """Return the message of [(Sensor, values (channels))] of a topic, taken at a stamp [ns]."""
        raise NotImplementedError

    def _change_noise(self, name, settings):
        return self._readings.change_noise(name, settings)

    def _advertise(self):
        self._reading_pubs = {
            topic: self.create_lifecycle_publisher(self.message_type, topic, STREAM_QOS)
            for topic in by_topic(self.sensors)}

    def _publish(self, readings):
        for topic, stamp, together in bundled(readings):
            self._reading_pubs[topic].publish(self.message_of(stamp, together))
