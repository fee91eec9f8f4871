"""The readings that the sensors of a run without losses deliver."""

import numpy as np

from mb_sensors import SimulatedSensor


def delivered(sensor, seed, stamps, faults=None):
    """Return when a simulated Sensor takes the readings that it delivers [ns] (k).

    stamps: of the truth [ns]; readings may fall between them.  A reading is delivered if it is due
    and does not drop out.  Seed and sensor decide drop-outs, so a configured drop-out is no lost
    message, nor is a reading that FaultSettings suppress.
    """
    device, unknown = SimulatedSensor(sensor, seed, faults), np.zeros(len(sensor.channels))
    found = []
    for stamp in stamps.tolist():
        due = device.due(stamp)
        found += [at for number, at in due
                  if device.send(at, number, device.noise.reading(number, unknown).tolist())]
    return np.array(found, np.int64)
