"""What a run without losses would bring: the readings that the sensors deliver."""

import numpy as np

from mb_sensors import SimulatedSensor


def delivered(sensor, seed, stamps, faults=None):
    """Return when a simulated Sensor takes the readings that it delivers [ns] (k).

    stamps: of the truth [ns], between which readings may fall.  It delivers one where one is due
    and does not drop out; drop-outs are decided by seed and sensor, so a configured drop-out is no
    lost message, nor is what FaultSettings suppress.
    """
    device, unknown = SimulatedSensor(sensor, seed, faults), np.zeros(len(sensor.channels))
    found = []
    for stamp in stamps.tolist():
        due = device.due(stamp)
        found += [at for number, at in due
                  if device.send(at, number, device.noise.reading(number, unknown).tolist())]
    return np.array(found, np.int64)
