"""What a run without losses would bring: the readings that the sensors deliver."""

import numpy as np

from mb_sensors import SensorNoise
from mb_sensors.sampling import Sampler


def delivered(sensor, seed, stamps):
    """Return at which stamps of the truth [ns] a simulated Sensor delivers a reading, (k) of bool.

    It does where one is due and does not drop out; drop-outs are decided by seed and sensor, so a
    configured drop-out is no lost message.
    """
    sampler = Sampler(sensor.settings.rate)
    numbers = [sampler.due(stamp) for stamp in stamps.tolist()]
    there = np.array([number is not None for number in numbers])
    taken = [number for number in numbers if number is not None]
    readings = SensorNoise(sensor.settings, seed, sensor.name).readings(
        taken, np.zeros((len(taken), len(sensor.channels))))
    there[there] = np.isfinite(readings).all(axis=1)
    return there
