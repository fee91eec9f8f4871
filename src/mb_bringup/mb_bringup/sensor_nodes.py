"""Which nodes read the sensors of a run, and which emulate their devices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mb_sensors import Sensor, SensorError, sensor_kinds

DRIVER = 'sensor_driver'    # of sensors of all kinds
SOURCES = ('simulated', 'emulated')
ON_BUS = ('encoder_driver', 'pressure_driver', 'range_driver')      # drivers of devices
IMU = 'imu_driver'
CAN_GROUP, CAN_PORT = '239.74.163.2', 43113     # first port, plus the ROS domain
FIRST_NODE_ID = 16


@dataclass
class SensorNode:
    """A node of mb_sensors: name, executable and parameters."""

    name: str
    executable: str
    parameters: dict[str, Any] = field(default_factory=dict)


def sensor_nodes(sensors: Sequence[Sensor], seed: int, source: str, ports: str,
                 domain: int) -> tuple[list[SensorNode], list[SensorNode]]:
    """Return (drivers, emulators), SensorNodes for Sensors.

    source: of SOURCES; ports: what the paths of emulated serial ports begin with; domain: number
    that keeps their bus apart from the buses of other runs.  Raises SensorError for sensors that no
    device can be.
    """
    if source == 'simulated':
        return [SensorNode(DRIVER, DRIVER, {'sensors': names_of(sensors), 'seed': seed})], []
    served: dict[str, list[Sensor]] = {}
    for sensor in sensors:
        served.setdefault(sensor_kinds()[sensor.kind].driver, []).append(sensor)
    for driver, group in served.items():
        if driver not in (*ON_BUS, IMU):
            raise SensorError(f'sources: emulated: {group[0].name}: there is no emulated device of '
                              f'kind {group[0].kind}')
    return emulated_nodes(served, seed, ports, domain)


def emulated_nodes(served: Mapping[str, list[Sensor]], seed: int, ports: str,
                   domain: int) -> tuple[list[SensorNode], list[SensorNode]]:
    """Return (drivers, emulators) for the Sensors by driver: one bus, and an IMU on each body."""
    drivers, emulators = [], []
    on_bus = {driver: group for driver, group in served.items() if driver in ON_BUS}
    if on_bus:
        sensors = [sensor for group in on_bus.values() for sensor in group]
        bus = can_parameters(sensors, domain)
        emulators.append(emulator('can', 'can', sensors, seed, bus))
        drivers += [device_driver(driver, driver, 'can', group, bus)
                    for driver, group in on_bus.items()]
    bodies: dict[str, list[Sensor]] = {}
    for sensor in served.get(IMU, ()):
        bodies.setdefault(sensor.body, []).append(sensor)
    for body, sensors in bodies.items():
        name = f'{IMU}_{body}'
        line = {'serial_imu.port': f'{ports}_{name}'}
        emulators.append(emulator(name, 'serial_imu', sensors, seed, line))
        drivers.append(device_driver(name, IMU, 'serial_imu', sensors, line))
    return drivers, emulators


def can_parameters(sensors: Sequence[Sensor], domain: int) -> dict[str, Any]:
    """Return the parameters of devices on the emulated bus, for drivers and emulator."""
    parameters = {'can.interface': 'udp_multicast', 'can.channel': CAN_GROUP,
                  'can.options': [f'port={CAN_PORT + domain}', 'hop_limit=0'],  # stays here
                  'can.heartbeat': 1.0}     # a busy machine is not an unplugged device
    for k, sensor in enumerate(sensors):
        parameters[f'{sensor.name}.can.node_id'] = FIRST_NODE_ID + k
        parameters[f'{sensor.name}.can.time_stamp'] = True
    return parameters


def device_driver(name: str, executable: str, source: str, sensors: Sequence[Sensor],
                  parameters: Mapping[str, Any]) -> SensorNode:
    """Return the driver of emulated devices, whose clock shows simulated time."""
    return SensorNode(name, executable, {
        'sensors': names_of(sensors), 'source': source, 'acquisition.clock': 'synchronised',
        'acquisition.longest_retry': 0.5, **parameters})


def emulator(name: str, device: str, sensors: Sequence[Sensor], seed: int,
             parameters: Mapping[str, Any]) -> SensorNode:
    """Return the node that emulates a device."""
    return SensorNode(f'emulated_{name}', 'emulate', {
        'device': device, 'sensors': names_of(sensors), 'seed': seed, **parameters})


def names_of(sensors: Sequence[Sensor]) -> list[str]:
    """Return the names of Sensors."""
    return [sensor.name for sensor in sensors]
