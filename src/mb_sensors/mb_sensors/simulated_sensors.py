"""All sensors that read the motion of a simulated machine, an instant at once."""

from collections.abc import Sequence

import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.jit import entry
from mb_model.kernel_api import bound
from mb_sensors.noise import noisy
from mb_sensors.readings import StateReader
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.simulated_sensor import SimulatedSensor

# Coefficients (6, 6) of the polynomials in s = 0 ... 1 of q, qd h and qdd h^2 at both ends; their
# sum has these positions, velocities and accelerations there.  Lowest power of s first.
_QUINTIC = np.array([[1.0, 0.0, 0.0, -10.0, 15.0, -6.0], [0.0, 1.0, 0.0, -6.0, 8.0, -3.0],
                     [0.0, 0.0, 0.5, -1.5, 1.5, -0.5], [0.0, 0.0, 0.0, 10.0, -15.0, 6.0],
                     [0.0, 0.0, 0.0, -4.0, 7.0, -3.0], [0.0, 0.0, 0.0, 0.5, -1.0, 0.5]])
_POWERS = np.arange(6)
# How far changes of velocity and of position may be from what smooth accelerations make of them,
# as shares of the accelerations: of the same coordinate, and of the largest one.  A vibration of
# angular frequency w is off by (w h)^2 / 12 and (w h)^4 / 720 of its acceleration.
_LIMITS = np.array([[0.25], [0.02]])
_FLOORS = np.array([[0.01], [0.001]])


class Span:
    """The motion from one state to another one, (3, n) each: q, qd, qdd.

    A quintic if the changes of velocity and position agree with the accelerations at the ends.  Its
    errors grow with the time between the states: of q with the sixth power, of qdd with the
    fourth.  Else straight lines of q, qd and qdd: an impact or a jump of a force is between.
    """

    def __init__(self, first: FloatArray, second: FloatArray, h: float) -> None:
        """Set up for two states that are h [s] apart."""
        self._h = h
        self._scale = np.array([1.0, h, h * h])[:, np.newaxis]
        self._first, self._change = first, second - first
        self._ends = np.concatenate((first * self._scale, second * self._scale))
        self.smooth = _agree(*self._ends)

    def at(self, t: float):
        """Return q, qd, qdd (3, n) at a time t [s] after the first state."""
        s = t / self._h
        if not self.smooth:
            return self._first + s * self._change
        powers = s ** _POWERS
        rates = np.concatenate(([0.0], _POWERS[1:] * powers[:-1]))
        bends = np.concatenate(([0.0, 0.0], (_POWERS * (_POWERS - 1.0))[2:] * powers[:-2]))
        return np.stack([(_QUINTIC @ one) @ self._ends for one in (powers, rates, bends)]) / (
            self._scale)


def _agree(q0: FloatArray, v0: FloatArray, a0: FloatArray, q1: FloatArray, v1: FloatArray,
           a1: FloatArray):
    """Return whether changes of v and q (n) agree with a at both ends, all in units of q."""
    off = np.abs([v1 - v0 - 0.5 * (a0 + a1), q1 - q0 - 0.5 * (v0 + v1) - (a0 - a1) / 12.0])
    size = np.maximum(np.abs(a0), np.abs(a1))
    return bool(np.all(off <= _LIMITS * size + _FLOORS * size.max()))


_NOT_DUE = np.iinfo(np.int64).min


@entry
def _read_due(noises, errors, ends, numbers, truth, readings):
    """Write the readings (channels) of sensors that are due; ends: of their channels.

    errors (channels, 1 + most channels of a sensor): rows as in SensorNoise.errors.
    """
    begin = 0
    for k in range(numbers.size):
        if numbers[k] != _NOT_DUE:
            noisy(noises[k], errors[begin:ends[k]], numbers[k], truth[begin:ends[k]],
                  readings[begin:ends[k]])
        begin = ends[k]


class SimulatedSensors:
    """Lets SimulatedSensors read states, each as it would alone.

    Readings that are due between two states are of the motion between these.
    """

    def __init__(self, mechanism: Mechanism, devices: Sequence[SimulatedSensor],
                 after: 'SimulatedSensors | None' = None) -> None:
        """Set up for SimulatedSensors with points on a mechanism, at least one.

        after: SimulatedSensors that have read up to now.
        """
        records = [device.sensor.actual for device in devices]
        ends = np.cumsum([len(one) for one in records])
        self._reader = StateReader(mechanism, np.concatenate(records))
        self._devices = [(device, slice(end - len(one), end)) for device, one, end
                         in zip(devices, records, ends.tolist(), strict=True)]
        self._numbers = np.empty(len(devices), np.int64)
        self._readings = np.empty(ends[-1])
        self._before = None if after is None else after._before      # (stamp, state (3, n))
        noises = np.concatenate([device.noise.record for device in devices])
        errors = np.zeros((ends[-1], 1 + max(len(one) for one in records)))
        for (device, channels), one in zip(self._devices, records, strict=True):
            errors[channels, :1 + len(one)] = device.noise.errors(len(one))
        self._read_due = bound(_read_due, (noises, errors, ends, self._numbers,
                                           self._reader.values, self._readings))

    def read(self, stamp: int, q: FloatArray, qd: FloatArray, qdd: FloatArray):
        """Return the readings that arrive at a stamp [ns]: [(Sensor, stamp, values (channels))].

        q, qd, qdd: the state at that stamp, read by the sensors that are due since the one before.
        Nothing is read or kept of a stamp that does not advance.  Raises ValueError unless they are
        n finite numbers each.
        """
        self._reader.read(q, qd, qdd)
        if self._before is not None and stamp <= self._before[0]:
            return []
        state = np.array([q, qd, qdd])
        numbers, arrived, span = [], [], None
        for device, channels in self._devices:
            now = _NOT_DUE
            for number, at in device.due(stamp):
                if at == stamp:
                    now = number
                elif self._before is not None:
                    span = span or self._span_to(stamp, state)
                    self._reader.read(*span.at((at - self._before[0]) / NANOSECONDS))
                    device.send(at, number, device.noise.reading(
                        number, self._reader.values[channels]).tolist())
            numbers.append(now)
        if span is not None:
            self._reader.read(*state)
        self._before = stamp, state
        self._numbers[:] = numbers
        self._read_due()
        readings = self._readings.tolist()
        for (device, channels), number in zip(self._devices, numbers, strict=True):
            if number != _NOT_DUE:
                device.send(stamp, number, readings[channels])
            arrived += device.release(stamp)
        return arrived

    def _span_to(self, stamp: int, state: FloatArray):
        """Return the Span from the state before to one at a stamp [ns]."""
        before, first = self._before
        return Span(first, state, (stamp - before) / NANOSECONDS)
