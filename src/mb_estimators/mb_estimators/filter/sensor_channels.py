"""Which of the numbers that a filter reads at an instant come from which sensor."""

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from mb_model.arrays import IntArray
from mb_sensors import Sensor


class SensorChannels:
    """The channels of all sensors of a filter, one sensor's after the other's.

    slices: of each sensor among all channels, by its name; owners (channels): the index of the
    sensor of each channel; count: how many channels there are.
    """

    def __init__(self, sensors: Sequence[Sensor]) -> None:
        """Set up for Sensors in the order of the filter's readings."""
        sizes = np.array([len(sensor.channels) for sensor in sensors], int)
        ends = np.cumsum(sizes)
        self.slices = {sensor.name: slice(int(end - size), int(end))
                       for sensor, size, end in zip(sensors, sizes, ends, strict=True)}
        self.owners: IntArray = np.repeat(np.arange(len(sensors)), sizes)
        self.count = len(self.owners)

    def names(self, channels: Iterable[int]) -> list[str]:
        """Return the names of the sensors that any of some channels come from."""
        owners, names = self.owners, list(self.slices)
        return [names[i] for i in sorted({int(owners[channel]) for channel in channels})]

    def of(self, sensors: Collection[str]) -> IntArray:
        """Return all channels of sensors by name (k)."""
        chosen = [name in sensors for name in self.slices]
        return np.flatnonzero(np.array(chosen, bool)[self.owners])
