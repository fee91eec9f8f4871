"""Readings of a simulated machine: from the truth that a prototype publishes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
import math
from typing import Any

from rclpy.clock import Clock, ClockType

from mb_interfaces.msg import MechanismState
from mb_model import INT64_MAX, Mechanism, Settings, setting
from mb_ros.diagnostics import OK, STALE, WARN, Health, LastLook
from mb_ros.managed_node import ManagedNode
from mb_ros.stamp_jump_guard import FAR, CommonTime, StampJumpGuard
from mb_ros.stamps import nanoseconds
from mb_sensors.faults import FaultSettings
from mb_sensors.nodes.kept_message import reading_type
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sensor import NoiseSettings, Sensor
from mb_sensors.sent_readings import SentReadings
from mb_sensors.simulated_sensor import SentReading, SimulatedSensor
from mb_sensors.simulated_sensors import SimulatedSensors
from mb_sensors.topics import SensorTopic, by_topic

_IDLE = 0.5      # wall time without truth after which delayed readings are sent [s]
_PERIOD = NANOSECONDS // 1000       # of the truth, or longer [ns]


@dataclass(frozen=True)
class SimulationSettings(Settings):
    """How readings are simulated."""

    seed: int = setting(0, at_least=0, at_most=INT64_MAX,
                        help='Seed of the noise of simulated readings')
    checkpoint: str = setting(
        '', help='File of the readings that are sent, from which a killed node continues; '
                 'empty: none, it sends all again whose truth it receives again')


class SimulatedReadings:
    """Takes readings of prototype/state.

    Quantities that the motion does not determine, such as a pressure, come from
    prototype/<topic of the sensors>, in the messages of this topic.
    """

    def __init__(self, node: ManagedNode, mechanism: Mechanism, sensors: Sequence[Sensor],
                 give: Callable[[Sequence[SentReading]], None]) -> None:
        """Set up for Sensors in a node; give([(sensor, stamp [ns], values)]) takes readings."""
        settings = node.settings_of(SimulationSettings)
        self._node, self._mechanism, self._give = node, mechanism, give
        self._coordinates = list(mechanism.coordinates)
        self._devices = {sensor.name: SimulatedSensor(sensor, settings.seed, node.settings_of(
            FaultSettings, f'{sensor.name}.fault.', change=partial(self._change_faults, sensor.name)
        )) for sensor in sensors}
        for device in self._devices.values():
            device.rehearse()
        self._sent = SentReadings(settings.checkpoint, self._devices)
        if self._sent.earlier:
            node.get_logger().info('going on after the readings of an earlier life, up to '
                                   f'{self._sent.earlier / NANOSECONDS:.3f} s')
        self._begin()
        streams = []            # (message type, topic, take(message, stamp [ns])) of the truth
        if self._moving is not None:
            streams.append((MechanismState, 'prototype/state', self._on_state))
        for name, topic in by_topic(s for s in sensors if not len(s.records)).items():
            streams.append((reading_type(topic), f'prototype/{name}',
                            partial(self._on_true_readings, topic)))
        self._takes = [take for _, _, take in streams]
        self._time = CommonTime(*(StampJumpGuard(_PERIOD, FAR, behind=0) for _ in streams))
        for number, (message_type, topic, _) in enumerate(streams):
            node.subscribe(message_type, topic, partial(self._on_truth, number, topic))
        node.create_timer(_IDLE + max(s.settings.delay + s.settings.delay_spread for s in sensors),
                          self._on_idle, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def reset(self):
        """Read as after a start: stamps may begin anew."""
        self._sent.forget()
        self._begin()
        self._time.forget()
        return 'waiting for the truth'

    def begin_again(self, before: int, now: int):
        """Read as after a start, unless the truth has begun anew already; times [ns]."""
        newest = self._time.newest
        if newest is not None and abs(newest - now) > abs(newest - before):
            self.reset()

    def _on_truth(self, stream: int, topic: str, message: Any):
        """Take the truth of a stream whose stamp can be believed."""
        stamp = nanoseconds(message.header.stamp)
        believed, lies, anew = self._time.take(stream, stamp, message)
        for _ in range(lies):
            self._reject(f'{topic}: a stamp is far from those around it')
        if anew:
            self._sent.forget()
            self._begin()
        for owner, at, one in believed:
            self._takes[owner](one, at)

    def _begin(self):
        """Set up as before any reading."""
        self._moving = None
        self._use(SimulatedSensor(device.sensor, device.seed, device.fault_settings)
                  for device in self._devices.values())
        self._rejected, self._last_rejected = 0, LastLook()
        self._last_missed = {name: LastLook() for name in self._devices}
        self._compared = set()      # sensors with a rate above the truth's
        self._fresh = False

    def change_noise(self, name: str, settings: NoiseSettings):
        """Return a function that continues a sensor with other NoiseSettings."""
        return lambda: self._use([self._devices[name].with_settings(noise=settings)])

    def _change_faults(self, name: str, settings: FaultSettings):
        return lambda: self._use([self._devices[name].with_settings(faults=settings)])

    def _use(self, devices: Iterable[SimulatedSensor]):
        """Replace the devices of the same names."""
        self._devices |= {device.sensor.name: device for device in devices}
        moving = [device for device in self._devices.values() if len(device.sensor.records)]
        self._moving = SimulatedSensors(
            self._mechanism, moving, self._moving) if moving else None

    def _on_state(self, message: Any, stamp: int):
        if message.coordinates != self._coordinates:
            self._reject(f'the prototype is a {message.mechanism!r} with the coordinates '
                         f'{list(message.coordinates)}, expected a {self._mechanism.name!r}')
            return
        try:
            arrived = self._moving.read(stamp, message.q, message.qd, message.qdd)
        except ValueError as error:
            self._reject(f'the prototype has sent {error}')
            return
        self._fresh = True
        self._give_all(arrived)

    def _on_true_readings(self, topic: SensorTopic, message: Any, stamp: int):
        arrived = []
        for name, values in topic.readings(message):
            device = self._devices.get(name)
            if device is None or not values or not all(map(math.isfinite, values)):
                self._reject(f'{name}: the true {topic.sensors[0].kind} is not finite')
                continue
            device.take(stamp, values)
            arrived += device.release(stamp)
            self._fresh = True
        self._give_all(arrived)

    def _reject(self, problem: str):
        """Count and report truth that cannot be read."""
        self._rejected += 1
        self._node.get_logger().warning(problem, throttle_duration_sec=5.0)

    def _give_all(self, arrived: list[SentReading]):
        """Give readings that are not sent yet."""
        if self._sent.earlier:
            arrived = [one for one in arrived if not self._was_sent(one[0].name, one[1])]
        if arrived:
            self._give(arrived)
            self._sent.note(arrived)

    def _was_sent(self, name: str, stamp: int):
        """Return whether an earlier life has sent the reading of a stamp [ns]."""
        if not self._sent.by_earlier_life(name, stamp):
            return False
        if 0 < self._node.believed_time() < self._sent.earlier:
            self._sent.forget()     # time begins anew: it lived in another run
            return False
        return True

    def _on_idle(self):
        """Send the last delayed readings when the truth has ended."""
        if not self._fresh:
            self._give_all([reading for device in self._devices.values()
                            for reading in device.release_all()])
        self._fresh = False

    def health(self):
        """Return the present Health."""
        devices = self._devices
        values = {f'{name} readings': device.taken for name, device in devices.items()}
        values |= {f'{name} drop-outs': device.dropped for name, device in devices.items()}
        values |= {f'{name} instants without truth': device.missed
                   for name, device in devices.items()}
        values['truth rejected'] = self._rejected
        self._compare_rates()
        missing = [name for name, device in devices.items()
                   if self._last_missed[name].grown_by(device.missed) > 0]
        if self._last_rejected.grown_by(self._rejected) > 0:
            return Health(WARN, 'some of the truth cannot be read', values)
        if not any(device.taken for device in devices.values()):
            return Health(STALE, 'no truth yet', values)
        if missing:
            return Health(WARN, f'truth is missing where readings are due: {", ".join(missing)}',
                          values)
        faults = [f'{name} {" and ".join(device.faults)}'
                  for name, device in devices.items() if device.faults]
        if faults:
            return Health(WARN, f'simulated fault: {", ".join(faults)}', values)
        return Health(OK, 'reading', values)

    def _compare_rates(self):
        """Warn once of each sensor that reads more often than the truth comes."""
        for name, device in self._devices.items():
            rate, shortest = device.sensor.rate, device.shortest
            if name in self._compared or not shortest or rate * shortest < 1.001 * NANOSECONDS:
                continue
            self._compared.add(name)
            self._node.get_logger().warning(
                f'{name}: reads at {rate:g} Hz, the truth comes at {NANOSECONDS / shortest:g} Hz: '
                'readings between its states are wrong where forces jump, as at contacts and '
                f"steps of a controller; set the prototype's publish_rate to {rate:g} Hz or more")

    def close(self):
        """Leave no checkpoint: after a clean shutdown, start fresh."""
        self._sent.remove()
