"""Emulated devices: the truth of a prototype through real protocols.

    ros2 run mb_sensors emulate --ros-args -p device:=can -p can.interface:=udp_multicast
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mb_model import Settings, load_mechanism, setting
from mb_ros.diagnostics import OK, WARN
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import NodeMain
from mb_sensors.nodes.device_readings import make_with_parameters
from mb_sensors.nodes.sensor_driver import sensors_to_drive, sensors_with_noise
from mb_sensors.nodes.simulated_readings import SimulatedReadings, SimulationSettings
from mb_sensors.sensor import Sensor
from mb_sensors.sources import SourceError, available_sources, emulator_class


@dataclass(frozen=True)
class EmulatorSettings(Settings):
    """The emulated device; its parameters are its source's."""

    device: str = setting(choices=available_sources(),
                          help='Which device, by the name of the source that reads it')
    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')
    sensors: tuple[str, ...] = setting(
        (), help='Sensors or sensor groups to emulate; empty: all that such a device can be')


class EmulateNode(ManagedNode):
    """Reads the prototype's truth as the simulated source does, and lets devices send it."""

    first_settings = EmulatorSettings, SimulationSettings
    _devices = ()       # until the node is set up: it may be interrupted before
    _readings = None

    def __init__(self, **options):
        super().__init__('emulate', **options)

    def configure(self):
        """Switch on the devices by the parameters."""
        settings = self.settings_of(EmulatorSettings)
        mechanism = load_mechanism(settings.mechanism)
        device_type = emulator_class(settings.device)
        sensors = sensors_with_noise(
            self, sensors_to_drive(mechanism, settings.sensors, device_type.kinds),
            lambda name, noise: self._readings.change_noise(name, noise))
        made = make_with_parameters(self, settings.device, device_type, sensors)
        self._devices = [device for device, _ in made]
        for device in self._devices:
            try:
                device.open()
            except (SourceError, OSError) as error:
                raise ValueError(str(error)) from None
        self._owners = {sensor.name: device for device, group in made for sensor in group}
        self._readings = SimulatedReadings(self, mechanism, sensors, self._measure)

    def cleanup(self):
        """Switch the devices off."""
        for device in self._devices:
            device.close()
        self._devices = ()
        if self._readings is not None:
            self._readings.close()
            self._readings = None

    def _measure(self, readings: Iterable[tuple[Sensor, int, Any]]):
        """Let devices measure."""
        for sensor, stamp, values in readings:
            self._owners[sensor.name].take(sensor, stamp, values)

    def reset(self):
        """Read the truth as after a start."""
        return self._readings.reset()

    def begin_again(self, before: int, now: int):
        """Read as after a start, unless the readings have begun anew already."""
        self._readings.begin_again(before, now)

    def health(self):
        """Return the health of the readings and the problems of devices."""
        health = self._readings.health()
        faults = '; '.join(filter(None, (getattr(device, 'fault', '')
                                         for device in self._devices)))
        if faults and health.level == OK:
            health.level, health.message = WARN, faults
        return health


main = NodeMain(EmulateNode)
