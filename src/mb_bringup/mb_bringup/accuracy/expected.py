"""What a run without losses would bring: the readings that the sensors deliver."""

import numpy as np

from mb_sensors.simulated_sensor import SimulatedSensor


def delivered(sensor, seed, stamps, faults=None):
    """Return at which stamps of the truth [ns] a simulated Sensor delivers a reading, (k) of bool.

    It does where one is due and does not drop out; drop-outs are decided by seed and sensor, so a
    configured drop-out is no lost message, nor is what FaultSettings suppress.
    """
    device, unknown = SimulatedSensor(sensor, seed, faults), np.zeros(len(sensor.channels))
    return np.array([device.take(stamp, unknown) for stamp in stamps.tolist()])
