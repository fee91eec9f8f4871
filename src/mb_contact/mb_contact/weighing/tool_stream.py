"""The load in a tool from messages of an estimator and of sensors, whichever topic is faster."""

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from math import isfinite, isqrt, nan
from typing import Any, NamedTuple

import numpy as np

from mb_contact.arguments import ContactError, one_on_each
from mb_contact.detection.messages import STATE, STATE_TYPE, require_independent
from mb_contact.payload.estimator import Payload
from mb_contact.payload.payload_stream import Weighed
from mb_contact.weighing.edge_force import CentredMeans, EdgeForce
from mb_contact.weighing.scales import Scales, Weighing
from mb_contact.weighing.tool_settings import ToolSettings
from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray
from mb_model.file_api import stamp_of
from mb_sensors import Sampler, by_topic, sensors_of

_LONGEST = 1000         # estimates that wait for readings


class EdgeMean(NamedTuple):
    """The force at the edge of a tool about a stamp [ns], along x and z of its frame (2) [N]."""

    stamp: int
    force: FloatArray


class ToolStream:
    """Lets Scales and EdgeForce weigh what messages hold; node and command weigh by it.

    A state waits until pressures and the stop have been read at its stamp or later; it is lost if a
    sensor has no reading of exactly that stamp.  What comes out depends on stamps alone, where each
    topic is in order.
    topics: (name, type) of each input; lost: states without a partner; rejected: messages that are
    not of the mechanism; impossible: instants without a force at the edge; last: newest stamp
    weighed [ns], -1 before the first.
    """

    def __init__(self, mechanism: Mechanism, tool: ToolSettings, pressures: Sequence[str],
                 stop: str, edge_rate: float) -> None:
        """Set up for ToolSettings; pressures: names of sensors, one of each volume.

        stop: name of the sensor of the tool's stop; edge_rate [Hz]: of forces at the edge.  Raises
        ContactError, MechanismError, SensorError.
        """
        self._mechanism = mechanism
        volumes = tuple(mechanism.circuit.volumes) if mechanism.circuit else ()
        gauges = one_on_each(mechanism, 'pressures', pressures, 'pressure', volumes)
        if not gauges:
            raise ContactError(f'{mechanism.file}: has no section hydraulics, expected one whose '
                               'cylinders move the tool')
        self._indices = {sensor.name: index for index, sensor in enumerate(gauges)}
        stop_sensor, = sensors_of(mechanism, [stop])
        self._stop, self._period = stop_sensor.name, round(1e9 / stop_sensor.rate)
        self.scales = Scales(mechanism, tool, 1.0 / min(sensor.rate for sensor in gauges))
        self._edge, self._means = EdgeForce(mechanism, tool), CentredMeans(tool.edge_window)
        self._edge_rate = edge_rate
        self._readers = list(by_topic([*gauges, stop_sensor]).items())
        self.topics = ((STATE, STATE_TYPE),
                       *((name, topic.message_type) for name, topic in self._readers))
        self.reset()

    def reset(self) -> None:
        """Forget everything, as after a start."""
        self.scales.reset()
        self._means.reset()
        self._due = Sampler(self._edge_rate).due
        self._waiting, self._motions, self._pressures, self._at_stop = [], {}, {}, set()
        self._newest = [-1] * len(self._indices)     # stamp of each pressure [ns]
        self._newest_look = -1                      # of the sensor of the stop
        self.last, self.lost, self.rejected, self.impossible = -1, 0, 0, 0

    def take(self, stream: int, message: Any,
             report: Callable[[str], object]) -> list[Weighed | Weighing | EdgeMean]:
        """Take in a message of an input, by its number; return what is complete by it, in order.

        That is: Weighed of each state, the Weighing that ends there, and EdgeMeans.  report: called
        with what is wrong with messages that are left out, and why there is no force at the edge.
        """
        stamp = stamp_of(message)
        if stream == 0:
            self._wait(stamp, message, report)
        else:
            self._read(stamp, self._readers[stream - 1][1].readings(message))
        results = []
        while self._waiting and (len(self._waiting) > _LONGEST or self._is_known(self._waiting[0])):
            results += self._use(self._waiting.pop(0), report)
        return results

    def _wait(self, stamp: int, message: Any, report: Callable[[str], object]) -> None:
        try:
            require_independent(self._mechanism, message.independent, f'{STATE}: ')
        except ValueError as error:
            self.rejected += 1
            report(str(error))
            return
        if stamp <= self.last or stamp in self._motions:
            self.lost += 1
        else:
            self._motions[stamp] = message
            insort(self._waiting, stamp)

    def _read(self, stamp: int, readings: Iterable[tuple[str, Sequence[float]]]) -> None:
        for name, values in readings:
            if not values:
                continue
            if name == self._stop:
                self._newest_look = max(self._newest_look, stamp)
                if isfinite(values[0]):
                    self._at_stop.add(stamp)
            elif stamp > self.last:
                index = self._indices[name]
                self._newest[index] = max(self._newest[index], stamp)
                self._pressures.setdefault(stamp, {})[index] = values[0]
        while len(self._pressures) > _LONGEST:      # no estimates come
            del self._pressures[min(self._pressures)]

    def _is_known(self, stamp: int) -> bool:
        """Return whether all sensors have been read at a stamp [ns] or later."""
        return stamp < self._newest_look + self._period and stamp <= min(self._newest)

    def _use(self, stamp: int,
             report: Callable[[str], object]) -> list[Weighed | Weighing | EdgeMean]:
        """Return what a state gives together with the readings of its stamp [ns]."""
        motion, pressures = self._motions.pop(stamp), self._pressures.get(stamp, {})
        at_stop, results = stamp in self._at_stop, []
        if len(pressures) == len(self._indices):
            results = self._weigh(stamp, motion, np.array(
                [pressures[index] for index in range(len(self._indices))]), at_stop, report)
        else:
            self.lost += 1
        self.last = stamp
        self._pressures = {s: one for s, one in self._pressures.items() if s > stamp}
        self._at_stop = {s for s in self._at_stop if s > stamp}
        return results

    def _weigh(self, stamp: int, message: Any, p: FloatArray, at_stop: bool,
               report: Callable[[str], object]) -> list[Weighed | Weighing | EdgeMean]:
        z, zd, zdd, q, covariance = (np.array(part, float) for part in (
            message.z, message.zd, message.zdd, message.q, message.covariance))
        size = isqrt(covariance.size)
        done = self.scales.add(stamp, z, zd, zdd, q, p, covariance.reshape(size, size), at_stop)
        last = done or self.scales.running
        net, gross, deviation, contradiction = (
            (last.net, last.gross, last.net_deviation, last.contradiction) if last
            else (nan, nan, nan, ''))
        payload = Payload(
            np.array([net]), np.array([gross]), np.array([deviation]),
            bool(last and not self.scales.reason), self.scales.reason or contradiction,
            '' if done is None else 'emptied' if done.empty else 'weighed')
        return [Weighed(stamp, message.header.frame_id, payload), *([] if done is None else [done]),
                *self._push(stamp, (z, zd, zdd, q, p), report)]

    def _push(self, stamp: int, motion_and_pressures: Sequence[FloatArray],
              report: Callable[[str], object]) -> list[EdgeMean]:
        """Take in the force at the edge; return the means that are complete by it."""
        try:
            force = self._edge.force(*motion_and_pressures)
        except (MechanismError, ArithmeticError, ValueError) as error:
            self.impossible += 1
            report(f'no force at the edge: {error}')
            return []
        return [EdgeMean(centre, mean) for centre, mean in self._means.add(
            stamp, force, self._due(stamp) is not None)]
