"""What sensor drivers share: sensors from parameters, readings from the source to their topics."""

from dataclasses import asdict

from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from mb_model import load_mechanism
from mb_ros.diagnostics import OK, STALE, WARN, Diagnostics, Health
from mb_ros.parameters import declare_settings
from mb_ros.qos import STREAM_QOS
from mb_sensors.driver_settings import DriverSettings, sensors_to_drive
from mb_sensors.noise_settings import NoiseSettings
from mb_sensors.simulated_sensor import SimulatedSensor

_IDLE = 0.5      # wall time without truth after which delayed readings are not held back [s]


class SensorDriver(Node):
    """Publishes readings of all its sensors, each on a topic of its name.

    A driver names its kinds of sensors, its message type and how a reading becomes a message.
    """

    kinds = ()
    message_type = None

    def __init__(self, name):
        super().__init__(name)
        settings = declare_settings(self, DriverSettings)
        self.mechanism = load_mechanism(settings.mechanism)
        self.devices = []
        for sensor in sensors_to_drive(self.mechanism, settings.sensors, self.kinds):
            noise = declare_settings(
                self, NoiseSettings, f'{sensor.name}.', asdict(sensor.settings))
            self.devices.append(SimulatedSensor(sensor.with_settings(noise), settings.seed))
            self.devices[-1].rehearse(self.mechanism)
        self._reading_pubs = [
            self.create_publisher(self.message_type, device.sensor.name, STREAM_QOS)
            for device in self.devices]
        self._rejected = 0
        self._rejected_before = 0       # at the last look at the health
        self._fresh = False
        self._diagnostics = Diagnostics(self, self._health)
        self._idle_timer = self.create_timer(
            _IDLE + max(device.sensor.settings.delay for device in self.devices),
            self._on_idle, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def reading_message(self, sensor, stamp, values):
        """Return the message of a Sensor's reading (channels) taken at a stamp [ns]."""
        raise NotImplementedError

    def take(self, device, stamp, truth):
        """Let a device read the true values (channels) of a stamp [ns]; publish what arrives."""
        self._fresh = True
        device.take(stamp, truth)
        self._publish(device, device.release(stamp))

    def reject(self, problem):
        """Count and tell truth that cannot be read."""
        self._rejected += 1
        self.get_logger().warning(problem, throttle_duration_sec=5.0)

    def _publish(self, device, arrived):
        publisher = self._reading_pubs[self.devices.index(device)]
        for stamp, values in arrived:
            publisher.publish(self.reading_message(device.sensor, stamp, values))

    def _on_idle(self):
        """Let the last delayed readings go when the truth has ended."""
        if not self._fresh:
            for device in self.devices:
                self._publish(device, device.release_all())
        self._fresh = False

    def _health(self):
        values = {f'{device.sensor.name} readings': device.taken for device in self.devices}
        values |= {f'{device.sensor.name} drop-outs': device.dropped for device in self.devices}
        values['truth rejected'] = self._rejected
        news, self._rejected_before = self._rejected > self._rejected_before, self._rejected
        if news:
            return Health(WARN, 'some of the truth cannot be read', values)
        if not any(device.taken for device in self.devices):
            return Health(STALE, 'no truth yet', values)
        return Health(OK, 'reading', values)
