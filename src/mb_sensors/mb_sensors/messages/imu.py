"""Messages of inertial sensors: several of one body, each in a vector of an Imu (REP-145)."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from mb_sensors.messages.codec import Reader

_UNKNOWN = -1.0      # first element of the covariance of vectors that are not measured
ANYTHING = 1e6       # variance along an axis that a sensor lacks, in units of the vector squared
_VECTORS = 'orientation', 'angular_velocity', 'linear_acceleration'


class ImuMessage:
    """The codec of a kind of sensor that measures one of the vectors of an Imu."""

    type_name = 'sensor_msgs/msg/Imu'
    together = 'a gyroscope and an accelerometer of one body'

    def __init__(self, vector: str, axes: Callable, elsewhere: Callable):
        """Set up for a vector.

        axes(sensor): that the sensor measures; elsewhere(sensor): variance along the other axes.
        """
        self.vector, self.axes = vector, axes
        self._elsewhere = elsewhere

    def fits(self, sensors: Sequence[Any]) -> bool:
        """Return whether a message holds a reading of each Sensor."""
        return (all(isinstance(sensor.message, ImuMessage) for sensor in sensors)
                and len({sensor.message.vector for sensor in sensors}) == len(sensors)
                and len({sensor.body for sensor in sensors}) == 1)

    def prepare(self, message: Any, sensors: Sequence[Any], frame: str) -> list:
        """Write the noise of measured vectors, and return the places of the numbers."""
        message.header.frame_id, places = sensors[0].body, []
        for vector in _VECTORS:
            getattr(message, f'{vector}_covariance')[0] = _UNKNOWN
        for sensor in sensors:
            codec = sensor.message
            places += [(getattr(message, codec.vector), axis) for axis in codec.axes(sensor)]
            setattr(message, f'{codec.vector}_covariance', codec.covariance(sensor))
        return places

    def covariance(self, sensor: Any) -> np.ndarray:
        """Return the covariance of the vector as a Sensor measures it (9)."""
        variance = sensor.settings.variance
        return np.diag([variance if axis in self.axes(sensor) else self._elsewhere(sensor)
                        for axis in 'xyz']).ravel()

    def put(self, message: Any, places: Sequence[Any], values: Sequence[float]) -> None:
        """Write values to their places, (part of the message, field) each."""
        for (part, field), value in zip(places, values, strict=True):
            setattr(part, field, float(value))

    def reader(self, sensors: Sequence[Any]) -> Reader:
        """Return a function message -> [(name of the sensor, values)]."""
        return partial(_read, [
            (sensor.name, sensor.message.vector, f'{sensor.message.vector}_covariance',
             sensor.message.axes(sensor)) for sensor in sensors])


def _read(parts, message):
    """Return the values of the vectors that are measured."""
    found = []
    for name, vector, covariance, axes in parts:
        if getattr(message, covariance)[0] != _UNKNOWN:
            measured = getattr(message, vector)
            found.append((name, [getattr(measured, axis) for axis in axes]))
    return found or [(parts[0][0], [])]
