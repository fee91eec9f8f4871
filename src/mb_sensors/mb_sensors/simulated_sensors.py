"""All sensors that read the motion of a simulated machine, an instant at once."""

from numba import njit
import numpy as np

from mb_model.bound import bound
from mb_sensors.noise import noisy
from mb_sensors.readings import StateReader

_NOT_DUE = np.iinfo(np.int64).min


@njit(cache=True)
def _read_due(noises, biases, ends, numbers, truth, readings):
    """Write the readings (channels) of sensors that are due; their channels end where told."""
    begin = 0
    for k in range(numbers.size):
        if numbers[k] != _NOT_DUE:
            noisy(noises[k], biases[begin:ends[k]], numbers[k], truth[begin:ends[k]],
                  readings[begin:ends[k]])
        begin = ends[k]


class SimulatedSensors:
    """Lets SimulatedSensors read states: what each of them would read alone."""

    def __init__(self, mechanism, devices):
        """Set up for SimulatedSensors with places on a mechanism, at least one."""
        records = [device.sensor.records for device in devices]
        ends = np.cumsum([len(one) for one in records])
        self._reader = StateReader(mechanism, np.concatenate(records))
        self._devices = [(device, slice(end - len(one), end)) for device, one, end
                         in zip(devices, records, ends.tolist(), strict=True)]
        self._numbers = np.empty(len(devices), np.int64)
        self._readings = np.empty(ends[-1])
        noises = np.concatenate([device.noise.record for device in devices])
        biases = np.concatenate([device.noise.biases(len(one)) for device, one
                                 in zip(devices, records, strict=True)])
        self._read_due = bound(_read_due, (noises, biases, ends, self._numbers,
                                           self._reader.values, self._readings))

    def read(self, stamp, q, qd, qdd):
        """Return the readings that arrive at a stamp [ns]: [(Sensor, stamp, values (channels))].

        q, qd, qdd: the state at that stamp, read by those that are due.  Raises ValueError unless
        they are n finite numbers each.
        """
        self._reader.read(q, qd, qdd)
        numbers = [device.due(stamp) for device, _ in self._devices]
        self._numbers[:] = [_NOT_DUE if number is None else number for number in numbers]
        self._read_due()
        readings, arrived = self._readings.tolist(), []
        for (device, channels), number in zip(self._devices, numbers, strict=True):
            if number is not None:
                device.send(stamp, number, readings[channels])
            arrived += device.release(stamp)
        return arrived
